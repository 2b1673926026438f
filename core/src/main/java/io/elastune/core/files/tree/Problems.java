package io.elastune.core.files.tree;

/** Collects the problems of a file, so that all of them are reported at once. */
public interface Problems {
  /**
   * Adds a problem.
   *
   * @param field path of the field; empty for the file as a whole
   * @param message what is wrong
   * @param hint suggestion or remedy; may be empty
   */
  void add(Place place, String field, String message, String hint);

  /** Returns the number of problems so far. */
  int count();

  /** Adds a problem with a value. */
  default void add(Node node, String message, String hint) {
    add(node.place(), node.path(), message, hint);
  }
}
