package io.elastune.core.files.tree;

/** A value of a file, with its place and its path. */
public sealed interface Node permits MapNode, ListNode, ScalarNode {
  Place place();

  /** Names from the root, e.g. {@code offers[2].billing.per}; empty at the root. */
  String path();

  /** The value for messages, e.g. {@code the text "64"}. */
  String describe();
}
