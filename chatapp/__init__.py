"""Glassbox: a streaming chat whose memory people can see."""

from chatapp.celery import app as celery_app

__all__ = ["celery_app"]
