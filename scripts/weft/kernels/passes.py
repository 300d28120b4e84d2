"""What is checked on a finished tree: everything that is there is used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weft.kernels.program import (
    Assign,
    Binary,
    Call,
    Conditional,
    Evaluate,
    Expr,
    For,
    Group,
    If,
    Item,
    Jump,
    Member,
    Name,
    Program,
    Stmt,
    ThreadIndex,
    Unary,
    Undefined,
    While,
)


def names_read(node: Expr) -> Iterator[str]:
    """The variables and parameters that an expression reads, with repetitions."""
    match node:
        case Name(name=name):
            yield name
        case Unary(operand=operand):
            yield from names_read(operand)
        case Binary(left=left, right=right):
            yield from names_read(left)
            yield from names_read(right)
        case Call(arguments=arguments, keywords=keywords):
            for one in arguments:
                yield from names_read(one)
            for _, one in keywords:
                yield from names_read(one)
        case Group(items=items):
            for one in items:
                yield from names_read(one)
        case Item(value=value, indices=indices):
            yield from names_read(value)
            for one in indices:
                yield from names_read(one)
        case Member(value=value, field=field):
            yield from names_read(value)
            yield f".{field}"
        case Conditional(condition=condition, if_true=yes, if_false=no):
            yield from names_read(condition)
            yield from names_read(yes)
            yield from names_read(no)


def _check_block(body: Sequence[Stmt], scope: set[str], read: set[str], written: dict[str, None]) -> None:
    """Collect what is read and assigned; raise Undefined for a name that is not in scope."""

    def use(*nodes: Expr) -> None:
        for node in nodes:
            for name in names_read(node):
                if not name.startswith(".") and name not in scope:
                    raise Undefined(f"{name} is used outside its scope")
                read.add(name)

    for statement in body:
        match statement:
            case Assign(target=Name(name=name), value=value, operator=operator):
                use(value)
                if operator is None:
                    scope.add(name)
                    written[name] = None
            case Assign(target=target, value=value):
                use(value, target)
            case ThreadIndex(names=names):
                for one in names:
                    scope.add(one.name)
                    written[one.name] = None
            case Evaluate(call=call):
                use(call)
            case If(condition=condition, then=then, otherwise=otherwise):
                use(condition)
                _check_block(then, set(scope), read, written)
                _check_block(otherwise, set(scope), read, written)
            case For(variable=variable, start=start, stop=stop, step=step, body=inner):
                use(start, stop, *([step] if isinstance(step, Expr) else []))
                _check_block(inner, scope | {variable.name}, read, written)
            case While(condition=condition, body=inner):
                use(condition)
                _check_block(inner, set(scope), read, written)
            case Jump(value=value):
                if value is not None:
                    use(value)


def _check_function(name: str, parameters: Sequence[str], body: Sequence[Stmt]) -> set[str]:
    read: set[str] = set()
    written = dict.fromkeys(parameters)
    _check_block(body, set(parameters), read, written)
    unused = [one for one in written if one not in read]
    if unused:
        raise Undefined(f"{name}: {', '.join(unused)} is never read")
    return read


def check(program: Program) -> None:
    """Raise Undefined unless every name is in scope where it is used, and everything there is used."""
    if not program.doc:
        raise Undefined(f"{program.name} has no docstring")
    read = _check_function(program.name, [one.name for one in program.parameters], program.body)
    for function in program.functions:
        read |= _check_function(function.name, [name for name, _ in function.parameters], function.body)
    for struct in program.structs:
        for field, _ in struct.fields:
            if f".{field}" not in read:
                raise Undefined(f"{program.name}: member {field} of {struct.name} is never read")
