"""All kinds of rewrites, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rewriting import declarations, expressions, helpers, statements
from rewriting.edits import Site
from rewriting.unit import Unit

KINDS: dict[str, Callable[[Unit], Iterator[Site]]] = {
    kind.__name__: kind
    for kind in (
        expressions.temporaries,
        expressions.macros,
        expressions.outlined,
        expressions.in_lambdas,
        expressions.pointers,
        expressions.addresses,
        expressions.swapped_operands,
        expressions.spelled_out,
        statements.while_for_for,
        statements.for_for_while,
        statements.switches,
        statements.early_returns,
        statements.lambdas,
        statements.reordered,
        statements.stepped,
        declarations.renamed,
        declarations.wider,
        declarations.sizes,
        declarations.boxed,
        declarations.aliases,
        declarations.template_constants,
        helpers.inlined,
    )
}
