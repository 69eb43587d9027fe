"""What the cache asks about PyTorch's types, without PyTorch."""

import torch

PIN_MEMORY = False
STR_DTYPE_TO_TORCH_DTYPE = {"float32": torch.float32, "half": torch.float16,
                            "float16": torch.float16, "bfloat16": torch.bfloat16,
                            "float": torch.float32, "fp8": torch.uint8, "int8": torch.int8,
                            "fp8_e4m3": torch.uint8, "fp8_e5m2": torch.uint8}


def get_dtype_size(dtype):
    return dtype.itemsize
