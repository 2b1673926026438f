package io.elastune.core.files.tree;

/** A value in a file, with its source position and its path. */
public sealed interface Node permits MapNode, ListNode, ScalarNode {
  Place place();

  /** Returns the path from the root, e.g. {@code offers[2].billing.per}; empty for the root. */
  String path();

  /** Returns the value for messages, e.g. {@code the string "64"}. */
  String describe();
}
