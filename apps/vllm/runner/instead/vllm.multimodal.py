"""Which models have images: vLLM's own registry reads a model's files."""


class MultiModalRegistry:
    def supports_multimodal_inputs(self, model_config):
        return model_config.is_multimodal_model


MULTIMODAL_REGISTRY = MultiModalRegistry()
