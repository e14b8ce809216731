"""An import-linter contract that lists what may be imported, where others list what may not."""

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class AllowlistContract(Contract):
    """Packages import nothing from outside but what is listed."""

    type_name = "allowlist"

    source_packages = fields.SetField(subfield=fields.StringField())
    allowed_packages = fields.SetField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: FBT001  # the base class's signature
        """Return every import of a package that is not listed."""
        output.verbose_print(verbose, f"Allowed: {sorted(self.allowed_packages)}")
        found = [
            (importer, imported)
            for package in sorted(self.source_packages)
            for importer in sorted(graph.find_descendants(package) | {package})
            for imported in sorted(graph.find_modules_directly_imported_by(importer))
            if not self._is_allowed(imported)
        ]
        return ContractCheck(kept=not found, metadata={"found": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print one line for each import that is not allowed."""
        for importer, imported in check.metadata["found"]:
            output.print_error(f"{importer} may not import {imported}", bold=False)

    def _is_allowed(self, imported: str) -> bool:
        package = imported.partition(".")[0]
        return package in self.source_packages or package in self.allowed_packages
