package io.elastune.core.config.yaml;

/** Collects the problems of a file, so that all of them are reported at once. */
public interface ProblemCollector {
  /**
   * Adds a problem.
   *
   * @param field path of the field; empty for the file as a whole
   * @param message what is wrong
   * @param hint suggestion or remedy; may be empty
   */
  void add(SourcePosition sourcePosition, String field, String message, String hint);

  /** Returns the number of problems so far. */
  int count();

  /** Adds a problem with a value. */
  default void add(YamlNode yamlNode, String message, String hint) {
    add(yamlNode.place(), yamlNode.path(), message, hint);
  }
}
