package io.elastune.core.files.tree;

/** Where readers put what is wrong, so that all of it can be told at once. */
public interface Problems {
  /**
   * Adds a problem.
   *
   * @param field the path of the field; empty for the file as a whole
   * @param message what is wrong
   * @param hint a suggestion or remedy; empty without one
   */
  void add(Place place, String field, String message, String hint);

  /** How many there are so far. */
  int count();

  /** Adds a problem of a value. */
  default void add(Node node, String message, String hint) {
    add(node.place(), node.path(), message, hint);
  }
}
