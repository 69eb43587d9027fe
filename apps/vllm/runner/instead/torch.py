"""The types of a tensor's elements: vLLM computes the size of a cache from them."""


class dtype:
    def __init__(self, name, itemsize):
        self.name = name
        self.itemsize = itemsize
        self.is_floating_point = "float" in name

    def __reduce__(self):
        return self.name  # a copy of a type is this type

    def __repr__(self):
        return f"torch.{self.name}"


for _itemsize, _names in {1: "bool uint8 int8 float8_e4m3fn float8_e5m2 float8_e4m3fnuz",
                          2: "int16 uint16 float16 bfloat16", 4: "int32 uint32 float32",
                          8: "int64 uint64 float64"}.items():
    for _name in _names.split():
        globals()[_name] = dtype(_name, _itemsize)
half, float, double, int, long = float16, float32, float64, int32, int64
