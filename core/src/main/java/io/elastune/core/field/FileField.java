package io.elastune.core.field;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A component of a record that is a field of a section in a file. A field without {@link #absent},
 * {@link #without} and default in its section is required. On a type, it applies to all components
 * of that type.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.TYPE})
public @interface FileField {
  /** The description of the field, one sentence. */
  String doc();

  /** An example value as in a file. */
  String example();

  /** The name of the field, if it is not the component's name in snake case. */
  String name() default "";

  /** The value without the field, as in a file. */
  String absent() default "";

  /**
   * What applies without the field, for the documentation of a component that is then empty: an
   * optional value, a list or a map.
   */
  String without() default "";
}
