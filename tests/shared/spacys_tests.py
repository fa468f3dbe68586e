"""spaCy's own tests that make components, run with sapwood's in their place: which hold, which do not, and why.

A name stands for all parameters of a test, or has one. `tests/spacy/test_spacys_own_tests.py` holds the lists;
`docs/measurements.py` makes the table of docs/spacy.md of them. Tests that need a library for mocks are not among them.
"""

HOLD = {
    "parser/test_ner.py": "issue2800 issue4267 train_empty",
    "parser/test_parse.py": "parser_parse_subtrees",
    "pipeline/test_annotates_on_update.py": "annotates_on_update",
    "pipeline/test_edit_tree_lemmatizer.py": "initialize_examples",
    "pipeline/test_entity_linker.py": """no_entities partial_links el_pipe_configuration preserving_links_asdoc
        overfitting_IO_gold_entities nel_to_bytes scorer_links no_gold_ents tokenization_mismatch""",
    "pipeline/test_morphologizer.py": "implicit_label initialize_examples",
    "pipeline/test_pipe_factories.py": """pipe_factory_meta_config_cleanup pipe_factories_from_source
        pipe_factories_from_source_language_subclass pipe_factories_from_source_custom
        pipe_factories_from_source_config""",
    "pipeline/test_pipe_methods.py": """replace_last_pipe replace_pipe_config add_pipe_before_after
        pipe_methods_frozen pipe_label_data_no_labels pipe_methods_initialize
        enable_disable_conflict_with_config load_disable_enable""",
    "pipeline/test_sentencizer.py": """sentencizer_pipe sentencizer_empty_docs
        sentencizer_across_scripts[de-text1] sentencizer_across_scripts[kn-text3]
        sentencizer_across_scripts[si-text4] sentencizer_across_scripts[ta-text5]
        sentencizer_across_scripts[te-text6] sentencizer_across_scripts[bn-text0]
        sentencizer_across_scripts[hi-text2] sentencizer_across_scripts[ur-text7]""",
    "pipeline/test_senter.py": "initialize_examples",
    "pipeline/test_tagger.py": "issue4348 implicit_label initialize_examples",
    "pipeline/test_textcat.py": "implicit_label initialize_examples textcat_evaluation textcat_eval_missing",
    "serialize/test_resource_warning.py": "to_disk_resource_warning",
    "serialize/test_serialize_config.py": "config_nlp_roundtrip",
    "serialize/test_serialize_doc.py": "issue3289 issue3468",
    "serialize/test_serialize_language.py": "issue2482",
    "serialize/test_serialize_pipeline.py": "issue3456 serialize_pipeline_disable_enable",
    "test_language.py": """language_update language_evaluate evaluate_no_pipe evaluate_multiple_textcat_final
        language_pipe language_pipe_stream language_from_config_before_after_init language_source_and_vectors
        invalid_arg_to_pipeline dot_in_factory_names""",
    "test_scorer.py": "tokenization sents las_per_type ner_per_type tag_score partial_annotation",
    "training/test_logger.py": "console_logger",
    "training/test_rehearse.py": "rehearse",
    "training/test_training.py": "tuple_format_implicit tuple_format_implicit_invalid training_before_update",
}

# Why, what the error says, and which tests.
LABELS = "labels are those of the model, or of the treebank that it is trained on; none are added or asked for before"
UPDATE = "models are trained by `initialize` on all of the data; `update` learns nothing and gives no losses"
NETWORK = "the model is a sapwood file, no network of spaCy's with layers, sizes and moves"
INPUT = "our parts take what those before them have found; spaCy's find names and tags without sentences"
SENTENCES = "words and sentences are the English model's, which knows no other scripts, where the tests count spaCy's"
CATEGORIES = "no component gives a document categories"
TABLES = "no tables of norms are asked for, so none are missed"
DO_NOT_HOLD = {
    "parser/test_add_label.py": [
        (INPUT, "the document has no sentences", "ner_labels_added_implicitly_on_predict"),
        (LABELS, "AssertionError", "ner_labels_added_implicitly_on_update"),
    ],
    "parser/test_ner.py": [
        (NETWORK, "no attribute 'vocab'", "issue1967"),
        (LABELS, "AssertionError", "issue2179"),
        (NETWORK, "no attribute 'mov", "issue3209 labels_from_BILUO accept_blocked_token"),
        (LABELS, "DID NOT RAISE", "train_negative_deprecated"),
        (
            INPUT,
            "the document has no sentences",
            "ner_before_ruler overwrite_token empty_ner ruler_before_ner block_ner",
        ),
        (TABLES, "AssertionError", "ner_warns_no_lookups"),
    ],
    "parser/test_parse.py": [
        (UPDATE, "KeyError: 'parser'", "incomplete_data overfitting_IO"),
    ],
    "pipeline/test_edit_tree_lemmatizer.py": [
        (LABELS, "argument 'labels'", "initialize_from_labels lemmatizer_label_data"),
        (LABELS, "DID NOT RAISE", "lemmatizer_requires_labels"),
    ],
    "pipeline/test_entity_linker.py": [
        (SENTENCES, "AssertionError", "issue7065"),
        (UPDATE, "KeyError: 'ner'", "overfitting_IO_with_ner"),
        (SENTENCES, "ValueError", "threshold"),
    ],
    "pipeline/test_models.py": [
        (NETWORK, "no attribute 'initialize'", "components_batching_list"),
        (CATEGORIES, "AttributeError", "components_batching_array"),
    ],
    "pipeline/test_morphologizer.py": [
        (LABELS, "DID NOT RAISE", "label_types no_label no_resize"),
        (NETWORK, "label_smoothing", "label_smoothing"),
        (UPDATE, "KeyError: 'morphologizer'", "overfitting_IO"),
    ],
    "pipeline/test_pipe_methods.py": [
        (INPUT, "the document has no tags", "issue3880"),
        (
            LABELS,
            "AssertionError",
            """pipe_base_class_add_label[ner] pipe_base_class_add_label[tagger]
                pipe_base_class_add_label[parser] pipe_labels pipe_label_data_exports_labels[tagger]
                pipe_label_data_exports_labels[parser] pipe_label_data_exports_labels[ner]
                pipe_label_data_exports_labels[morphologizer]""",
        ),
        (CATEGORIES, "AssertionError", "pipe_base_class_add_label[textcat] pipe_label_data_exports_labels[textcat]"),
    ],
    "pipeline/test_senter.py": [
        (LABELS, "DID NOT RAISE", "label_types"),
        (UPDATE, "KeyError: 'senter'", "overfitting_IO"),
    ],
    "pipeline/test_tagger.py": [
        (LABELS, "DID NOT RAISE", "label_types no_label no_data tagger_requires_labels"),
        (LABELS, "AssertionError", "tagger_initialize_tag_map no_resize"),
        (NETWORK, "label_smoothing", "label_smoothing"),
        (UPDATE, "KeyError: 'tagger'", "incomplete_data"),
        (NETWORK, "get_dim", "overfitting_IO"),
    ],
    "pipeline/test_textcat.py": [
        (CATEGORIES, "OptionError", "issue3611 issue4030 issue5551 resize resize_same_results tok2vec_lazy_init"),
        (CATEGORIES, "ConfigValidationError", "issue6908"),
        (CATEGORIES, "AttributeError", "issue9904 overfitting_IO"),
        (CATEGORIES, "Failed", "label_types invalid_label_value no_label error_with_multi_labels"),
        (CATEGORIES, "TypeError", "positive_class positive_class_not_present positive_class_not_binary"),
        (CATEGORIES, "AssertionError", "textcat_loss"),
    ],
    "pipeline/test_tok2vec.py": [
        (
            NETWORK,
            "not a Model",
            """tok2vec_listener tok2vec_listener_callback tok2vec_listener_overfitting
                tok2vec_frozen_not_annotating tok2vec_frozen_overfitting replace_listeners
                replace_listeners_from_config tok2vec_listeners_textcat tok2vec_listener_source_link_name
                tok2vec_listener_source_replace_listeners""",
        ),
    ],
    "serialize/test_serialize_config.py": [
        (
            NETWORK,
            "not a Model",
            """create_nlp_from_config create_nlp_from_config_multiple_instances serialize_nlp
                serialize_custom_nlp serialize_parser config_overrides config_interpolation
                config_validate_literal""",
        ),
    ],
    "serialize/test_serialize_doc.py": [
        (NETWORK, "no attribute 'cfg'", "issue1727"),
        (INPUT, "the document has no sentences", "issue2564"),
    ],
    "serialize/test_serialize_language.py": [
        (NETWORK, "not a Model", "issue6950"),
    ],
    "serialize/test_serialize_pipeline.py": [
        (INPUT, "the document has no sentences", "issue4042 issue4042_bug2"),
    ],
    "test_language.py": [
        (CATEGORIES, "AssertionError", "pass_doc_to_pipeline"),
    ],
    "test_misc.py": [
        (CATEGORIES, "OptionError", "util_dot_section"),
    ],
    "training/test_pretraining.py": [
        (
            NETWORK,
            "not a Model",
            """pretraining_default pretraining_tok2vec_characters pretraining_tok2vec_vectors_fail
                pretraining_tok2vec_vectors pretraining_tagger_tok2vec pretraining_tagger pretraining_training""",
        ),
    ],
    "training/test_readers.py": [
        (CATEGORIES, "KeyError", "readers"),
    ],
    "training/test_training.py": [
        (INPUT, "the document has no", "issue999"),
        (NETWORK, "not a Model", "issue7029"),
    ],
}
