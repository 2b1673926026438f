package io.elastune.core.field;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A record that is read from a section of a file, one field for each {@link FileField}. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface FileSection {
  /** The title in the documentation, e.g. {@code search.resource}. */
  String title();

  /** The description of the section, one sentence. */
  String doc();
}
