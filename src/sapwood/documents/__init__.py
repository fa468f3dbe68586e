"""Documents: sentences, words, their columns, trees and names."""
