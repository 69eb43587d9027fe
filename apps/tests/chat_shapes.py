"""Chat templates of the shapes that models have, each in the fewest words that keep its shape."""

ASSISTANT = "{% if add_generation_prompt %}{{ '<|start|>assistant\n' }}{% endif %}"

# The first message is the kit's own system prompt, if there is none.
CHATML = ("{%- if messages[0].role != 'system' %}"
          "{{- '<|start|>system\nAnswer in short.<|end|>\n' }}{%- endif %}"
          "{% for m in messages %}{{ '<|start|>' + m.role + '\n' + m.content + "
          "'<|end|>\n' }}{% endfor %}" + ASSISTANT)

# Contents are trimmed, and a token begins the text.
LLAMA3 = ("{{ bos_token }}{% for m in messages %}{{ '<|head|>' + m['role'] + '<|/head|>\n\n' + "
          "m['content'] | trim + '<|end|>' }}{% endfor %}"
          "{% if add_generation_prompt %}{{ '<|head|>assistant<|/head|>\n\n' }}{% endif %}")

# The system message is a part of the first message of the user, and roles alternate.
INST = """{%- if messages[0].role == 'system' -%}
{%- set rest = messages[1:] -%}{%- set first = messages[0].content -%}
{%- else -%}{%- set rest = messages -%}{%- endif -%}
{%- for m in rest -%}
{%- if (m.role == 'user') != (loop.index0 % 2 == 0) -%}
{{- raise_exception('the roles do not alternate') -}}{%- endif -%}
{%- if loop.first and first is defined -%}
{%- set content = '<SYS>\n' + first + '\n</SYS>\n\n' + m.content -%}
{%- else -%}{%- set content = m.content -%}{%- endif -%}
{%- if m.role == 'user' -%}{{- bos_token + '[INST] ' + content.strip() + ' [/INST]' -}}
{%- else -%}{{- ' ' + content.strip() + ' ' + eos_token -}}{%- endif -%}
{%- endfor -%}"""

# No system message, and no white space is removed.
MISTRAL = """{{- bos_token }}
{%- for m in messages %}
{%- if (m.role == 'user') != (loop.index0 % 2 == 0) %}
{{- raise_exception('first a user, then an assistant') }}{%- endif %}
{%- if m.role == 'user' %}{{- ' [INST] ' + m.content + ' [/INST]' }}
{%- elif m.role == 'assistant' %}{{- ' ' + m.content + eos_token }}
{%- else %}{{- raise_exception('there is no such role') }}{%- endif %}{%- endfor %}"""

# The assistant has another name in the text, and the system message goes before the first user's.
GEMMA = """{{ bos_token }}{%- set ns = namespace(first='') -%}
{%- if messages[0].role == 'system' -%}
{%- set ns.first = messages[0].content | trim + '\n\n' -%}{%- set messages = messages[1:] -%}
{%- endif -%}
{%- for m in messages -%}
{%- if (m.role == 'user') != (loop.index0 % 2 == 0) -%}
{{ raise_exception('not in turns') }}{%- endif -%}
{%- set role = 'model' if m.role == 'assistant' else m.role -%}
{{ '<turn>' + role + '\n' + (ns.first if loop.first else '') + m.content | trim + '</turn>\n' }}
{%- endfor -%}{%- if add_generation_prompt -%}{{ '<turn>model\n' }}{%- endif -%}"""

# A token for each role, and none for the end of an answer that is asked for.
PHI = """{% for m in messages %}
{%- if m.role == 'system' %}{{ '<|system|>\n' + m.content + '<|end|>\n' }}
{%- elif m.role == 'user' %}{{ '<|user|>\n' + m.content + '<|end|>\n' }}
{%- elif m.role == 'assistant' %}{{ '<|assistant|>\n' + m.content + '<|end|>\n' }}
{%- endif %}{% endfor %}
{%- if add_generation_prompt %}{{ '<|assistant|>\n' }}{% else %}{{ eos_token }}{% endif %}"""

# Tools and a default system prompt; messages with tools have another form, and none comes here.
QWEN = """{%- if tools %}{{- '<|start|>system\n' + tools | tojson + '<|end|>\n' }}
{%- elif messages[0].role == 'system' %}
{{- '<|start|>system\n' + messages[0].content + '<|end|>\n' }}
{%- else %}{{- '<|start|>system\nYou are a kind helper.<|end|>\n' }}{%- endif %}
{%- for m in messages %}
{%- if m.role == 'user' or (m.role == 'system' and not loop.first)
 or (m.role == 'assistant' and not m.tool_calls) %}
{{- '<|start|>' + m.role + '\n' + m.content + '<|end|>\n' }}
{%- endif %}{%- endfor %}""" + ASSISTANT

# What is before an answer marks it for training, and a loop ends early.
MARKED = ("{% for m in messages %}{% if m.role not in ['user', 'assistant'] %}{% continue %}"
          "{% endif %}{{ '### ' + m.role + '\n' }}{% generation %}{{ m.content + '\n' }}"
          "{% endgeneration %}{% endfor %}{{ '### assistant\n' }}")

READ = {"chatml": CHATML, "llama3": LLAMA3, "inst": INST, "mistral": MISTRAL, "gemma": GEMMA,
        "phi": PHI, "qwen": QWEN, "marked": MARKED}

# What test_chat_template.py's two conversations are, with and without a system message, written by
# hand. None: the template takes no system message.
TEXTS = {
    "chatml": ("<|start|>system\n Be kind.\n<|end|>\n<|start|>user\n Hi <|end|>\n"
               "<|start|>assistant\n\n{{ you }}\u2003<|end|>\n<|start|>user\n2?<|end|>\n"
               "<|start|>assistant\n",
               "<|start|>system\nAnswer in short.<|end|>\n<|start|>user\n Hi <|end|>\n"
               "<|start|>assistant\n\n{{ you }}\u2003<|end|>\n<|start|>user\n2?<|end|>\n"
               "<|start|>assistant\n"),
    "llama3": ("<s><|head|>system<|/head|>\n\nBe kind.<|end|><|head|>user<|/head|>\n\nHi<|end|>"
               "<|head|>assistant<|/head|>\n\n{{ you }}<|end|><|head|>user<|/head|>\n\n2?<|end|>"
               "<|head|>assistant<|/head|>\n\n",
               "<s><|head|>user<|/head|>\n\nHi<|end|><|head|>assistant<|/head|>\n\n{{ you }}<|end|>"
               "<|head|>user<|/head|>\n\n2?<|end|><|head|>assistant<|/head|>\n\n"),
    "inst": ("<s>[INST] <SYS>\n Be kind.\n\n</SYS>\n\n Hi [/INST] {{ you }} </s>"
             "<s>[INST] 2? [/INST]",
             "<s>[INST] Hi [/INST] {{ you }} </s><s>[INST] 2? [/INST]"),
    "mistral": (None, "<s> [INST]  Hi  [/INST] \n{{ you }}\u2003</s> [INST] 2? [/INST]"),
    "gemma": ("<s><turn>user\nBe kind.\n\nHi</turn>\n<turn>model\n{{ you }}</turn>\n"
              "<turn>user\n2?</turn>\n<turn>model\n",
              "<s><turn>user\nHi</turn>\n<turn>model\n{{ you }}</turn>\n<turn>user\n2?</turn>\n"
              "<turn>model\n"),
    "phi": ("<|system|>\n Be kind.\n<|end|>\n<|user|>\n Hi <|end|>\n<|assistant|>\n"
            "\n{{ you }}\u2003<|end|>\n<|user|>\n2?<|end|>\n<|assistant|>\n",
            "<|user|>\n Hi <|end|>\n<|assistant|>\n\n{{ you }}\u2003<|end|>\n<|user|>\n2?<|end|>\n"
            "<|assistant|>\n"),
    "qwen": ("<|start|>system\n Be kind.\n<|end|>\n<|start|>user\n Hi <|end|>\n<|start|>assistant\n"
             "\n{{ you }}\u2003<|end|>\n<|start|>user\n2?<|end|>\n<|start|>assistant\n",
             "<|start|>system\nYou are a kind helper.<|end|>\n<|start|>user\n Hi <|end|>\n"
             "<|start|>assistant\n\n{{ you }}\u2003<|end|>\n<|start|>user\n2?<|end|>\n"
             "<|start|>assistant\n"),
    "marked": (None, "### user\n Hi \n### assistant\n\n{{ you }}\u2003\n### user\n2?\n"
                     "### assistant\n"),
}

# From a name to a template and what is said of it.
REFUSED = {
    "syntax": ("{% for m in messages %}{{ m.content }}", "is no Jinja: Unexpected end of template"),
    "date": ("{{ strftime_now('%d %b') }}" + CHATML, "writes the date of today into the text"),
    "index": ("{% for m in messages %}{{ loop.index }}: {{ m.content }}\n{% endfor %}",
              "depends on more than the roles of two messages, one after the other"),
    "length": ("{% if messages | length > 9 %}Long!{% endif %}" + CHATML,
               "gives another text when the conversation is longer"),
    "thinking": (CHATML.replace("m.content +", "m.content.split('</think>')[-1] +"),
                 'takes "</think>" in a message for more than text'),
    "upper": (CHATML.replace("m.content +", "m.content | upper +"), "user: a message is left out"),
    "last": ("{{ messages[-1].content }}", "user assistant user: a message is left out"),
    "reversed": ("{% for m in messages | reverse %}{{ m.content }}\n{% endfor %}",
                 "user assistant user: the messages come in another order"),
    "lines": (CHATML.replace("m.content +", "m.content.strip('\n') +"),
              "user: the white space around a message is changed in part"),
    "nobody": ("{{ raise_exception('no ' + messages[0].role) }}",
               "does not take the conversation user: no user"),
    "parts": ("{% for m in messages %}{{ m.content[0].text }}{% endfor %}",
              "user: a message is left out, or is there twice"),
    "pairs": ("{% if messages | length == 3 %}{{ raise_exception('three') }}{% endif %}" + CHATML,
              "does not take the conversation user user user: three"),
}
