"""An import-linter contract that lists what may be imported, where others list what may not."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class AllowlistContract(Contract):
    """Packages import nothing from outside but what is listed."""

    type_name = "allowlist"

    source_packages = fields.SetField(subfield=fields.StringField())
    allowed_packages = fields.SetField(subfield=fields.StringField())
    exempt_modules = fields.SetField(subfield=fields.StringField(), required=False, default=set())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: FBT001  # the base class's signature
        """Return every import of a package that is not listed."""
        output.verbose_print(verbose, f"Allowed: {sorted(self.allowed_packages)}")
        foreign = foreign_imports(graph, self.source_packages, self.allowed_packages)
        found = [(by, name) for by, name in foreign if by not in self.exempt_modules]
        return ContractCheck(kept=not found, metadata={"found": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print one line for each import that is not allowed."""
        for importer, imported in check.metadata["found"]:
            output.print_error(f"{importer} may not import {imported}", bold=False)


def foreign_imports(
    graph: ImportGraph, sources: AbstractSet[str], allowed: AbstractSet[str]
) -> Iterator[tuple[str, str]]:
    """Yield importer and imported where a source package imports something not allowed."""
    for importer in sorted(graph.modules):
        if importer.partition(".")[0] in sources:
            for imported in sorted(graph.find_modules_directly_imported_by(importer)):
                if imported.partition(".")[0] not in allowed | sources:
                    yield importer, imported
