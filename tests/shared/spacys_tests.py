"""spaCy's own tests that make components, run with sapwood's in their place: which hold, which do not, and why.

`tests/spacy/test_checks.py` holds the list; `docs/measurements.py` makes the table of docs/spacy.md of it.
"""

METHODS, FACTORIES = "pipeline/test_pipe_methods.py", "pipeline/test_pipe_factories.py"
LANGUAGE, CONFIG, TAGGER = "test_language.py", "serialize/test_serialize_config.py", "pipeline/test_tagger.py"
NAMES = "parser/test_ner.py"

HOLD = {
    METHODS: """replace_last_pipe replace_pipe_config add_pipe_before_after pipe_methods_frozen
        pipe_label_data_no_labels[senter] pipe_methods_initialize enable_disable_conflict_with_config""",
    FACTORIES: """pipe_factory_meta_config_cleanup pipe_factories_from_source_custom
        pipe_factories_from_source_config""",
    LANGUAGE: """language_update language_evaluate evaluate_no_pipe evaluate_multiple_textcat_final language_pipe[1]
        language_pipe[2] language_from_config_before_after_init language_source_and_vectors
        invalid_arg_to_pipeline dot_in_factory_names""",
    TAGGER: "issue4348 implicit_label initialize_examples",
    NAMES: "issue2800 train_empty",
    "pipeline/test_annotates_on_update.py": "annotates_on_update",
    "pipeline/test_edit_tree_lemmatizer.py": "initialize_examples",
    "pipeline/test_morphologizer.py": "implicit_label initialize_examples",
    "pipeline/test_sentencizer.py": "sentencizer_pipe sentencizer_empty_docs",
    "pipeline/test_senter.py": "initialize_examples",
    "serialize/test_resource_warning.py": "to_disk_resource_warning[tagger]",
    "serialize/test_serialize_doc.py": "issue3468",
    "serialize/test_serialize_language.py": "issue2482",
    "serialize/test_serialize_pipeline.py": "issue3456",
    "training/test_training.py": "tuple_format_implicit training_before_update",
}

# Why, what the error says, and which tests.
LABELS = "labels are those of the model, or of the treebank that it is trained on; none are added or asked for before"
UPDATE = "models are trained by `initialize` on all of the data; `update` learns nothing and gives no losses"
NETWORK = "the model is a sapwood file, no network of spaCy's with layers, sizes and moves"
INPUT = "our parts take what those before them have found; spaCy's find names and tags without sentences"
ENGLISH = "the English model does not know the marks that end sentences in other scripts"
CATEGORIES = "no component gives a document categories"
DO_NOT_HOLD = {
    METHODS: [
        (LABELS, "AssertionError", "pipe_base_class_add_label[ner] pipe_labels pipe_label_data_exports_labels[parser]"),
        (INPUT, "the document has no tags", "issue3880"),
    ],
    LANGUAGE: [(CATEGORIES, "AssertionError", "pass_doc_to_pipeline[1]")],
    TAGGER: [
        (LABELS, "DID NOT RAISE ValueError", "label_types no_label tagger_requires_labels"),
        (LABELS, "AssertionError", "no_resize tagger_initialize_tag_map"),
        (UPDATE, "KeyError: 'tagger'", "incomplete_data"),
        (NETWORK, "unexpected argument: 'label_smoothing'", "label_smoothing"),
        (NETWORK, "no attribute 'get_dim'", "overfitting_IO"),
    ],
    NAMES: [
        (INPUT, "the document has no sentences", "overwrite_token ruler_before_ner"),
        (NETWORK, "no attribute 'mov", "issue3209 accept_blocked_token"),
    ],
    CONFIG: [(NETWORK, "is the path of a sapwood model, not a Model", "serialize_parser[parser_config_string0]")],
    "pipeline/test_edit_tree_lemmatizer.py": [(LABELS, "argument 'labels'", "initialize_from_labels")],
    "pipeline/test_senter.py": [(UPDATE, "KeyError: 'senter'", "overfitting_IO")],
    "pipeline/test_sentencizer.py": [(ENGLISH, "AssertionError", "sentencizer_across_scripts[hi-text2]")],
}
