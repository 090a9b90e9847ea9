# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that `tune compile` has built, called with numpy arrays (docs/compile.md, "The header")."""

import ctypes
import os
import re
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, Union

# MLIR's element types: numpy's name, and what C passes. numpy has no bf16: its bits are uint16.
_ELEMENTS: Dict[str, Tuple[str, Any]] = {
    "f32": ("float32", ctypes.c_float), "f64": ("float64", ctypes.c_double), "f16": ("float16", ctypes.c_uint16),
    "bf16": ("uint16", ctypes.c_uint16), "i1": ("bool", ctypes.c_bool), "i8": ("int8", ctypes.c_int8),
    "i16": ("int16", ctypes.c_int16), "i32": ("int32", ctypes.c_int32), "i64": ("int64", ctypes.c_int64),
    "index": ("int64", ctypes.c_int64)}


class ModelError(Exception):
    """A library that cannot be loaded, or an error of the runtime in a call."""


class MemrefType(NamedTuple):
    """The type of an argument or a result; a scalar has no shape."""

    element: str
    shape: Optional[Tuple[Optional[int], ...]]  # None: a scalar; of a size None: any.

    def __str__(self) -> str:
        if self.shape is None:
            return self.element
        return f"memref<{'x'.join([*('?' if size is None else str(size) for size in self.shape), self.element])}>"


class Function(NamedTuple):
    """What the header says of one function."""

    name: str
    symbol: str
    arguments: Tuple[MemrefType, ...]
    results: Tuple[MemrefType, ...]


def _types(text: str) -> Tuple[MemrefType, ...]:
    types: List[MemrefType] = []
    for word in filter(None, map(str.strip, re.split(r",(?![^<]*>)", text))):
        match = re.fullmatch(r"memref<((?:(?:\?|\d+)x)*)(\w+)>", word)
        element = match.group(2) if match else word
        if element not in _ELEMENTS:
            raise ModelError(f"the type {word} cannot be passed from Python")
        sizes = match.group(1).split("x")[:-1] if match else None
        types.append(MemrefType(element, None if sizes is None else tuple(None if s == "?" else int(s) for s in sizes)))
    return tuple(types)


def parse_signature(text: str) -> Function:
    """The function of a comment of the header.

    >>> forward = parse_signature("forward(memref<4x?xf32>, f32) -> (memref<4xf32>)")
    >>> forward.name, [str(argument) for argument in forward.arguments]
    ('forward', ['memref<4x?xf32>', 'f32'])
    >>> forward.results
    (MemrefType(element='f32', shape=(4,)),)
    """
    match = re.fullmatch(r"(.+?)\((.*?)\)(?: -> \((.*)\))?", text.strip())
    if not match:
        raise ModelError(f"no signature: {text!r}")
    name, arguments, results = match.groups()
    return Function(name, f"_mlir_ciface_{name}", _types(arguments), _types(results or ""))


def _functions(header: str) -> Dict[str, Function]:
    if "Arguments are device memory" in header:
        raise ModelError("the model takes device memory: compile it without --device-arguments to call it from Python")
    found: Dict[str, Function] = {}
    for match in re.finditer(r"^/\* ([^\n]+\)) \*/\n(.*?);\n\n", header, re.M | re.S):
        function = parse_signature(match.group(1))
        symbol = re.search(r'__asm__\("((?:[^"\\]|\\.)*)"\)', match.group(2))
        if symbol:
            function = function._replace(symbol=re.sub(r"\\(.)", r"\1", symbol.group(1)))
        found[function.name] = function
    return found


def _descriptor(memref: MemrefType) -> Any:
    rank = len(memref.shape or ())
    fields: List[Tuple[str, Any]] = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p),
                                     ("offset", ctypes.c_int64)]
    if rank:
        fields += [("sizes", ctypes.c_int64 * rank), ("strides", ctypes.c_int64 * rank)]
    return type("Memref", (ctypes.Structure,), {"_fields_": fields})


def _numpy() -> Any:
    try:
        import numpy
    except ImportError:
        raise ModelError("calling a model needs numpy") from None
    return numpy


class Model:
    """A loaded library. Its functions are attributes: `model.forward(x)`; `functions` has their signatures.

    A function takes numpy arrays, or anything with `__dlpack__` on the CPU (a torch tensor), C-contiguous and of the
    types of its signature, and numbers where that has scalars. Of sizes that the signature leaves open (`?`) only the
    caller knows which must be equal: they are not compared. Tensors are never changed; memrefs that the module writes
    are. It returns None, one result, or a tuple; arrays are new ones. bf16 is passed as its bits, in uint16.
    """

    def __init__(self, path: Union[str, "os.PathLike[str]"], header: Union[str, "os.PathLike[str]", None] = None,
                 device: Optional[str] = None):
        self.path = os.path.abspath(os.fspath(path))
        self._header = os.fspath(header) if header is not None else os.path.splitext(self.path)[0] + ".h"
        try:
            with open(self._header, encoding="utf-8") as file:
                self.functions = _functions(file.read())
        except OSError as error:
            raise ModelError(f"cannot read the header {self._header}, which has the types: {error.strerror}") from None
        try:
            self._library = ctypes.CDLL(self.path)
            for name in ("mmtune_take_error", "mmtune_device_name", "mmtune_set_device"):
                getattr(self._library, name).restype = ctypes.c_char_p
        except (OSError, AttributeError) as error:
            raise ModelError(f"cannot load {self.path}: {error}") from None
        self._free = ctypes.CDLL(None).free
        self._free.argtypes = [ctypes.c_void_p]
        if device is not None:
            refused = self._library.mmtune_set_device(device.encode())
            if refused is not None:
                raise ModelError(refused.decode(errors="replace"))

    @property
    def device(self) -> str:
        """The device in use; one is chosen when there is none yet."""
        return (self._library.mmtune_device_name() or b"").decode(errors="replace")

    def __getattr__(self, name: str) -> Callable[..., Any]:
        functions = self.__dict__.get("functions", {})
        if name not in functions:
            raise AttributeError(f"the model has no function '{name}'; it has {', '.join(functions) or 'none'}")
        return lambda *arguments: self._call(functions[name], arguments)

    def _call(self, function: Function, arguments: Tuple[Any, ...]) -> Any:
        if len(arguments) != len(function.arguments):
            raise TypeError(f"{function.name} takes {len(function.arguments)} arguments, not {len(arguments)}")
        kept: List[Any] = []  # Memory and descriptors, until the call is over.
        passed = [self._pass(i, value, kind, kept) for i, (value, kind) in enumerate(zip(arguments, function.arguments))]
        entry = getattr(self._library, function.symbol)
        entry.restype = None
        results = [_ELEMENTS[kind.element][1] if kind.shape is None else _descriptor(kind) for kind in function.results]
        if len(results) == 1 and function.results[0].shape is None:
            entry.restype = results[0]
            value = entry(*passed)
            self._raise_error()
            return value
        if not results:
            entry(*passed)
            self._raise_error()
            return None
        fields = [(f"result{i}", kind) for i, kind in enumerate(results)]
        written = type("Results", (ctypes.Structure,), {"_fields_": fields})()
        entry(ctypes.byref(written), *passed)
        self._raise_error()
        values = [getattr(written, name) for name, _ in fields]
        own = {array.ctypes.data for array in kept if hasattr(array, "ctypes")}
        arrays = [value if kind.shape is None else self._array(value, kind) for value, kind in zip(values, function.results)]
        # Several results may share an allocation, and a result may be an argument's memory.
        for allocated in {value.allocated for value, kind in zip(values, function.results) if kind.shape is not None} - own:
            self._free(allocated)
        return arrays[0] if len(arrays) == 1 else tuple(arrays)

    @staticmethod
    def _pass(number: int, value: Any, kind: MemrefType, kept: List[Any]) -> Any:
        dtype, scalar = _ELEMENTS[kind.element]
        if kind.shape is None:
            return scalar(value)
        numpy = _numpy()
        from_dlpack = not isinstance(value, numpy.ndarray) and hasattr(value, "__dlpack__")
        if from_dlpack:
            value = numpy.from_dlpack(value)
        array = numpy.asarray(value)
        if array.dtype != numpy.dtype(dtype):
            raise TypeError(f"argument {number} is of {array.dtype}, but {kind} takes {dtype}")
        if len(array.shape) != len(kind.shape) or any(want not in (None, size) for want, size in zip(kind.shape, array.shape)):
            raise ValueError(f"argument {number} has the shape {array.shape}, but {kind} is wanted")
        if not array.flags.aligned:
            raise ValueError(f"argument {number} is not aligned to its elements: pass a copy of it")
        if isinstance(value, numpy.ndarray) and not array.flags.writeable and not from_dlpack:
            raise ValueError(f"argument {number} is read-only, and a compiled function may write to it: pass a copy of it")
        if not array.flags.c_contiguous:
            raise ValueError(f"argument {number} is not C-contiguous: pass numpy.ascontiguousarray of it")
        memref = _descriptor(kind)()
        memref.allocated = memref.aligned = array.ctypes.data
        if array.ndim:
            memref.sizes[:] = array.shape
            strides = [1]
            for size in reversed(array.shape[1:]):
                strides.insert(0, strides[0] * size)
            memref.strides[:] = strides
        kept += [array, memref]
        return ctypes.byref(memref)

    @staticmethod
    def _array(memref: Any, kind: MemrefType) -> Any:
        """A copy, which outlives the memory of the result."""
        numpy = _numpy()
        dtype = numpy.dtype(_ELEMENTS[kind.element][0])
        shape = tuple(memref.sizes) if kind.shape else ()
        strides = tuple(stride * dtype.itemsize for stride in memref.strides) if kind.shape else ()
        if 0 in shape:
            return numpy.empty(shape, dtype)
        last = sum((size - 1) * stride for size, stride in zip(shape, strides)) + dtype.itemsize
        start = memref.aligned + memref.offset * dtype.itemsize
        memory = (ctypes.c_char * last).from_address(start)
        return numpy.ndarray(shape, dtype, memory, strides=strides).copy()

    def _raise_error(self) -> None:
        error = self._library.mmtune_take_error()
        if error is not None:
            raise ModelError(error.decode(errors="replace"))


def load(path: Union[str, "os.PathLike[str]"], *, header: Union[str, "os.PathLike[str]", None] = None,
         device: Optional[str] = None) -> Model:
    """The model of a library that `tune compile` has built; its header, which has the types, lies beside it.

    `device` is "cuda", "cuda:<i>" or "simt", for the whole process; else MMTUNE_DEVICE, or what the model was compiled for.
    """
    return Model(path, header, device)
