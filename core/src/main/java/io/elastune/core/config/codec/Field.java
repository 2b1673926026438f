package io.elastune.core.config.codec;

import java.util.Optional;
import java.util.function.Function;

/**
 * A field of a section: the single definition from which it is read, written and documented.
 *
 * @param <R> the record that the section is read into
 * @param <T> type of the value
 * @param need whether the field must be given
 * @param absent default value, if there is one
 * @param absentText description of the default for the documentation; empty if the field is
 *     required
 * @param getter returns the value to write, if any
 * @param doc description of the field, one sentence
 * @param example example value as in a file
 */
public record Field<R, T>(
    String name,
    Codec<T> codec,
    FieldRequirement need,
    Optional<T> absent,
    String absentText,
    Function<R, Optional<T>> getter,
    String doc,
    String example) {

  /** Whether a field is required, has a default, or is optional. */
  public enum FieldRequirement {
    REQUIRED,
    OPTIONAL
  }

  /** Returns a required field. */
  public static <R, T> Field<R, T> required(
      String name, Codec<T> codec, Function<R, T> getter, String doc, String example) {
    return new Field<>(
        name,
        codec,
        FieldRequirement.REQUIRED,
        Optional.empty(),
        "",
        record -> Optional.of(getter.apply(record)),
        doc,
        example);
  }

  /** Returns a field with a default value. */
  public static <R, T> Field<R, T> withDefault(
      String name, Codec<T> codec, T value, Function<R, T> getter, String doc, String example) {
    return new Field<>(
        name,
        codec,
        FieldRequirement.OPTIONAL,
        Optional.of(value),
        InlineText.of(codec.write(value)),
        record -> Optional.of(getter.apply(record)),
        doc,
        example);
  }

  /** Returns the same field of a section whose record contains the record of this one. */
  <S> Field<S, T> within(Function<S, R> part) {
    return new Field<>(
        name,
        codec,
        need,
        absent,
        absentText,
        record -> getter.apply(part.apply(record)),
        doc,
        example);
  }

  /** Returns the value to write, if any. */
  Optional<Object> write(R record) {
    return getter.apply(record).map(codec::write);
  }
}
