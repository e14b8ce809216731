"""Links and file names inside running text, in any script."""

import re
from collections.abc import Iterator

Span = tuple[int, int]
"""Character offsets: the first, and after the last."""

# Chinese is written without spaces: a link ends where Chinese text or punctuation begins.
_LINK = re.compile(
    r"(?:https?://|(?<![\w.-])www\.)(?=\w)"
    r"[^\s<>\[\]\"`{}|\\^\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+",
    re.IGNORECASE,
)
_TRAILING = ".,;:!?'*_»”’…"
_RUN = re.compile(r"[\w./\\~-]+")
_FILE_END = re.compile(
    r"(?<=[\w-])\.(?:7z|apk|bat|bmp|c|cfg|conf|cpp|cs|css|csv|dll|dmg|docx?|epub|exe|gif|go|gz|h|hpp|html?"
    r"|ini|ipynb|iso|java|jpe?g|js|json|jsonl|jsx|kt|log|md|mov|mp3|mp4|odt|ods|parquet|pdf|php|png"
    r"|pptx?|ps1|psd|py|rar|rb|rs|rst|rtf|sh|sql|sqlite3?|svg|swift|tar|tex|tiff?|toml|tsv|tsx?|txt"
    r"|wav|webm|webp|xlsx?|xml|ya?ml|zip)(?![A-Za-z0-9_])",
    re.IGNORECASE,
)


def links(text: str) -> Iterator[Span]:
    """Yield the links of a text, without the punctuation of the sentence around them."""
    for found in _LINK.finditer(text):
        yield found.start(), found.start() + len(_trimmed(found[0]))


def _trimmed(link: str) -> str:
    surplus = link.count(")") - link.count("(")
    end = len(link)
    while link[end - 1] in _TRAILING or (link[end - 1] == ")" and surplus > 0):
        surplus -= link[end - 1] == ")"
        end -= 1
    return link[:end]


def file_names(text: str) -> Iterator[Span]:
    """Yield the file names of a text, with their path; known by their ending."""
    for run in _RUN.finditer(text):
        # Nearly every run is a plain word.
        if "." not in run[0]:
            continue
        ends = [found.end() for found in _FILE_END.finditer(run[0])]
        if ends:
            yield run.start(), run.start() + ends[-1]
