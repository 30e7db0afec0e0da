"""
Conditions of pyarrow (`pyarrow.compute.Expression`, which is what DuckDB and Ray hand over) -> a predicate of ours that
keeps at least the rows that the condition keeps. What has no exact counterpart is left out of it: whoever reads applies
the condition itself once more, to the rows that are left.

An expression is taken apart as pyarrow serializes it: calls, fields and literals in the metadata of a schema, in their
order, each literal as a column.
"""

from __future__ import annotations

import ctypes
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

_COMPARISONS = {
    "equal": "==",
    "not_equal": "!=",
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
}
_TURNED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
#: Whole numbers that every type of float holds.
_SMALL = 2**24
#: Not of years that pyarrow has no text of.
_MOMENT = re.compile(r"-?\d{4,}-\d\d-\d\d(T[\d:.]+)?")


@dataclass(frozen=True)
class Condition:
    """A text with its parameters; `is_exact`: it keeps the same rows, and is unknown for the same ones."""

    text: str
    is_exact: bool


@dataclass(frozen=True)
class _Call:
    function: str
    arguments: list[object]
    options: dict[str, object]


@dataclass
class _Translation:
    schema: pa.Schema
    params: dict[str, object] = field(default_factory=dict)

    def parameter(self, value: object) -> str:
        name = f"p{len(self.params)}"
        self.params[name] = value
        return f"@{name}"


def fields_of(expression: pc.Expression) -> list[str] | None:
    """The columns that a condition asks about, in their order. None: it names them in another way than by name."""
    found: dict[str, None] = {}
    for kind, value in _tokens(expression)[0]:
        if kind == "field_ref":
            found[value] = None
        elif kind == "nested_field_ref":
            return None
    return list(found)


def predicate_of(expression: pc.Expression, schema: pa.Schema) -> tuple[str, dict[str, object]] | None:
    """Text and parameters; None where nothing of it can be said."""
    translation = _Translation(schema)
    condition = _condition(_tree(expression), translation)
    return None if condition is None else (condition.text, translation.params)


def _tokens(expression: pc.Expression) -> tuple[list[tuple[str, str]], pa.RecordBatch]:
    buffer = expression.__reduce__()[1][0]
    reader = pa.ipc.open_file(buffer)
    return list(_metadata(reader.schema)), reader.get_batch(0)


def _metadata(schema: pa.Schema) -> Iterator[tuple[str, str]]:
    """All pairs, in order: `schema.metadata` is a dict, and keeps one for each key."""
    capsule = schema.__arrow_c_schema__()
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    # struct ArrowSchema: format, name, metadata.
    pointers = (ctypes.c_void_p * 3).from_address(get(capsule, b"arrow_schema"))
    if not pointers[2]:
        return
    address = pointers[2]

    def text() -> str:
        nonlocal address
        (length,) = struct.unpack("=i", ctypes.string_at(address, 4))
        value = ctypes.string_at(address + 4, length).decode()
        address += 4 + length
        return value

    (count,) = struct.unpack("=i", ctypes.string_at(address, 4))
    address += 4
    for _ in range(count):
        yield text(), text()


def _tree(expression: pc.Expression) -> object:
    tokens, literals = _tokens(expression)
    stack: list[_Call] = [_Call("", [], {})]
    for kind, value in tokens:
        if kind == "call":
            stack.append(_Call(value, [], {}))
        elif kind == "end":
            done = stack.pop()
            stack[-1].arguments.append(done)
        elif kind == "options":
            stack[-1].options.update(literals.column(int(value))[0].as_py() or {})
        elif kind == "field_ref":
            stack[-1].arguments.append(value)
        elif kind == "literal":
            stack[-1].arguments.append(literals.column(int(value))[0])
        else:
            stack[-1].arguments.append(None)
    return stack[0].arguments[0] if stack[0].arguments else None


def _condition(node: object, to: _Translation) -> Condition | None:
    if not isinstance(node, _Call):
        return None
    function, arguments = node.function, node.arguments
    if function in ("and_kleene", "or_kleene") and len(arguments) == 2:
        return _joined(function == "and_kleene", _condition(arguments[0], to), _condition(arguments[1], to))
    if function == "invert" and len(arguments) == 1:
        inner = _condition(arguments[0], to)
        return Condition(f"not ({inner.text})", True) if inner is not None and inner.is_exact else None
    if function in ("is_null", "is_valid") and not node.options.get("nan_is_null"):
        name = _name(arguments[0], to)
        return None if name is None else Condition(f"{name} is {'' if function == 'is_null' else 'not '}null", True)
    if function in _COMPARISONS:
        return _comparison(_COMPARISONS[function], arguments, to)
    if function == "is_in":
        return _listed(node, to)
    # DuckDB's lists: unknown where the value is null, as ours.
    if function == "if_else" and isinstance(arguments[0], _Call) and arguments[0].function == "is_valid":
        inner = _condition(arguments[1], to)
        return inner if _is_null(arguments[2]) else None
    return None


def _joined(is_and: bool, left: Condition | None, right: Condition | None) -> Condition | None:
    if left is not None and right is not None:
        word = "and" if is_and else "or"
        return Condition(f"({left.text}) {word} ({right.text})", left.is_exact and right.is_exact)
    found = left or right
    return Condition(found.text, False) if is_and and found is not None else None


def _comparison(operator: str, arguments: list[object], to: _Translation) -> Condition | None:
    left, right = arguments
    if isinstance(left, pa.Scalar):
        left, right, operator = right, left, _TURNED[operator]
    name = _name(left, to)
    if name is None or not isinstance(right, pa.Scalar) or not right.is_valid:
        return None
    value = _value(right, _type(str(left), to))
    return None if value is None else Condition(f"{name} {operator} {to.parameter(value)}", True)


def _listed(node: _Call, to: _Translation) -> Condition | None:
    """Not exact: of null pyarrow says that it is in no list, and ours that it is unknown."""
    name = _name(node.arguments[0], to)
    listed = node.options.get("value_set")
    if name is None or not isinstance(listed, list) or any(each is None for each in listed):
        return None
    kind = _type(str(node.arguments[0]), to)
    # To pyarrow NaN is in a list of NaN; moments have lost their unit here.
    if not (pa.types.is_integer(kind) or _is_text(kind)):
        return None
    if not all(isinstance(each, str if _is_text(kind) else int) for each in listed):
        return None
    return Condition(f"{name} in {to.parameter(listed)}", False)


def _name(node: object, to: _Translation) -> str | None:
    if not isinstance(node, str) or to.schema.get_field_index(node) < 0 or any(each in node for each in "`\\\n\r"):
        return None
    return f"`{node}`"


def _type(name: str, to: _Translation) -> pa.DataType:
    kind = to.schema.field(name).type
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _is_text(kind: pa.DataType) -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def _is_null(node: object) -> bool:
    return isinstance(node, pa.Scalar) and not node.is_valid


def _value(scalar: pa.Scalar, kind: pa.DataType) -> object:
    """As the column compares it; None where pyarrow would compare in another way (integers as floats, say)."""
    types = pa.types
    given = scalar.type
    if given == kind and (types.is_timestamp(given) or types.is_date32(given)):
        # As text: the file may count in units that Arrow has not (hours, months). So may spans, which have no text.
        moment = scalar.cast(pa.string()).as_py().replace(" ", "T")
        return moment if _MOMENT.fullmatch(moment) else None
    # Not every moment is one of Python's.
    if types.is_temporal(given):
        return None
    value = scalar.as_py()
    if types.is_integer(given) and types.is_integer(kind):
        return value
    if types.is_integer(given) and (types.is_float32(kind) or types.is_float64(kind)):
        return value if abs(value) <= _SMALL else None
    if types.is_floating(given) and types.is_floating(kind):
        # Which of the two types pyarrow compares in makes no difference to a value that both have.
        return value if given == kind or (not types.is_float16(kind) and _is_single(value)) else None
    if (_is_text(given) and _is_text(kind)) or (types.is_boolean(given) and types.is_boolean(kind)):
        return value
    return None


def _is_single(value: float) -> bool:
    try:
        return value != value or struct.unpack("=f", struct.pack("=f", value))[0] == value
    except OverflowError:
        return False
