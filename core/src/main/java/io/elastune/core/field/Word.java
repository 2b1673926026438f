package io.elastune.core.field;

import java.util.Locale;

/** A constant of an enumeration that has a name of its own in files and on the command line. */
public interface Word {
  /** Returns the name of the constant in the code. */
  String name();

  /** Returns the name used in files: that in the code, in lower case and with hyphens. */
  default String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
