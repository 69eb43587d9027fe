"""A GGUF with the matrices of another one in BF16, for compare.py.

usage: bf16_gguf.py FROM.gguf TO.gguf
"""

import sys

import gguf
import numpy

reader = gguf.GGUFReader(sys.argv[1])
writer = gguf.GGUFWriter(sys.argv[2], "llama")
for field in reader.fields.values():
    is_of_the_writer = field.name.startswith("GGUF.") or field.name == "general.architecture"
    if is_of_the_writer or field.name in ("general.file_type", "general.quantization_version"):
        continue
    kind = field.types[0]
    is_list = kind == gguf.GGUFValueType.ARRAY
    writer.add_key_value(field.name, field.contents(), kind, field.types[-1] if is_list else None)
for tensor in reader.tensors:
    numbers = gguf.dequantize(tensor.data, tensor.tensor_type).astype(numpy.float32)
    if numbers.ndim == 1:
        writer.add_tensor(tensor.name, numbers)
    else:
        kind = gguf.GGMLQuantizationType.BF16
        writer.add_tensor(tensor.name, gguf.quantize(numbers, kind), raw_dtype=kind)
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
