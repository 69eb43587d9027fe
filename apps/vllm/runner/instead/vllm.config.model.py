"""A model as the scheduler sees it: vLLM's own class reads a model's files first."""

from types import SimpleNamespace
from typing import Any, Literal

RunnerOption = Literal["auto", "generate", "pooling", "draft"]

# What the tests' models say in their config.json.
LONGEST = {"llava-hf/llava-1.5-7b-hf": 4096}
WITH_IMAGES = ("llava-hf/llava-1.5-7b-hf",)
OTHERS_LONGEST = 2048
VOCABULARY = 50272


class ModelConfig:
    is_encoder_decoder = False
    is_diffusion = False
    is_multimodal_model = False
    is_hybrid = False
    is_moe = False
    uses_mrope = False
    enable_return_routed_experts = False
    enable_prompt_embeds = False
    return_sampling_mask = False
    supports_kv_cache_grouping = True
    runner_type = "generate"
    multimodal_config = None
    logits_processors = None
    generation_config = "auto"
    quantization = None
    max_logprobs = 20
    seed = 0

    def __init__(self, model="Qwen/Qwen3-0.6B", max_model_len=None, dtype="auto",
                 skip_tokenizer_init=False, **given):
        self.model = self.tokenizer = model
        self.dtype = dtype
        self.skip_tokenizer_init = skip_tokenizer_init
        self.original_max_model_len = max_model_len
        self.max_model_len = max_model_len or LONGEST.get(model, OTHERS_LONGEST)
        self.is_multimodal_model = self.supports_multimodal_inputs = model in WITH_IMAGES
        self.hf_config = self.hf_text_config = SimpleNamespace(is_encoder_decoder=False)
        self.__dict__.update(given)

    def get_vocab_size(self):
        return VOCABULARY
