// A classifier with weights, and the features of its texts, made of a model file.
#pragma once
#include <vector>

#include "classifying/classifier.hpp"
#include "features/document_features.hpp"
#include "file/model_file.hpp"

namespace sapwood::making {

using namespace file;

// Throws ModelError if the header of the file is not that of a classifier: of texts, which has a template, or of features.
void check_classifier(const ModelFile& file);

// The features of texts. Throws ModelError and TemplateError.
DocumentFeatures document_features_of(const ModelFile& file);

// Throws ModelError if the file does not hold a classifier with weights.
Classifier classifier_of(const ModelFile& file);

}  // namespace sapwood::making
