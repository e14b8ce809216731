"""`manage.py verify_log`: says whether what is stored is what was written, and where it is not."""

from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from chatapp.keyring import KeyUnreadable
from chatapp.store.permits import permit_left_open
from chatapp.store.triggers import install, trigger_faults
from chatapp.store.verification import Finding, Verification, verify_log


class Command(BaseCommand):
    help = (
        "Verify every transition against the chain, everything sealed beside it, and the messages, "
        "turns and memory that it vouches for. Prints one line for each finding. Exits with 1 on "
        "any fault; erased contents are none."
    )
    # It must run just when the checks fail.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--conversation", type=UUID, metavar="ID", help="verify only this one")
        parser.add_argument(
            "--restore-triggers",
            action="store_true",
            help="put back missing triggers after the log was read",
        )

    def handle(self, **options: Any) -> None:
        try:
            results = self._verify(options["conversation"])
        except KeyUnreadable as error:
            raise CommandError(str(error)) from error
        faults = sum(one.is_fault for result in results for one in result.findings)
        faults += self._check_guards(restore=options["restore_triggers"])
        if faults:
            raise CommandError(f"The log is not what was written: {_counted(faults, 'fault')}.")
        read = _counted(sum(result.transitions for result in results), "transition")
        self.stdout.write(f"{read} of {_counted(len(results), 'conversation')} verified")

    def _verify(self, conversation_id: UUID | None) -> list[Verification]:
        results = []
        for result in verify_log(conversation_id):
            results.append(result)
            for finding in result.findings:
                self.stdout.write(_line(result, finding))
        if conversation_id is not None and not results:
            raise CommandError(f"There is no conversation {conversation_id}.")
        return results

    def _check_guards(self, *, restore: bool) -> int:
        found = trigger_faults()
        for fault in found:
            self.stdout.write(f"trigger absent: {fault.trigger} on {fault.table} is {fault.state}")
        if found and restore:
            install()
            self.stdout.write(f"{_counted(len(found), 'trigger')} restored")
            found = ()
        left_open = permit_left_open()
        if left_open:
            self.stdout.write("permit open: an erasure permit stands outside its transaction")
        return len(found) + left_open


def _line(result: Verification, finding: Finding) -> str:
    kind = "payload erased" if finding.kind == "erased" else finding.kind
    place = f"conversation {result.conversation_id}, seq {finding.seq}"
    if finding.row_id is None or finding.created_ms is None:
        return f"{kind}: {place}: {finding.what}"
    return f"{kind}: {place}, row {finding.row_id}, {_time(finding.created_ms)}: {finding.what}"


def _time(milliseconds: int) -> str:
    try:
        written = datetime.fromtimestamp(milliseconds / 1000, UTC)
    except (OverflowError, ValueError):
        # A row that was tampered with may hold a time that no calendar has.
        return f"{milliseconds} ms"
    return written.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
