package io.elastune.core.field;

/** A value of an enumeration that has a name of its own in files. */
public interface Word {
  /** Returns the name used in files. */
  String word();
}
