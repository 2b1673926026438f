package io.elastune.core.files.schema;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A field of a section: one source for reading, writing and documenting it.
 *
 * @param <R> what the section is read into
 * @param <T> the value
 * @param need whether the field must be given
 * @param absent the value if the field is not given, if there is one
 * @param absentText what holds if the field is not given, for people; empty if it must be given
 * @param getter the value to write, if any
 * @param doc one sentence
 * @param example as it would stand in a file
 */
public record Field<R, T>(
    String name,
    Codec<T> codec,
    Need need,
    Optional<T> absent,
    String absentText,
    Function<R, Optional<T>> getter,
    String doc,
    String example) {

  /** Whether a field must be given. */
  public enum Need {
    REQUIRED,
    OPTIONAL
  }

  /** A field that must be given. */
  public static <R, T> Field<R, T> required(
      String name, Codec<T> codec, Function<R, T> getter, String doc, String example) {
    return new Field<>(
        name,
        codec,
        Need.REQUIRED,
        Optional.empty(),
        "",
        record -> Optional.of(getter.apply(record)),
        doc,
        example);
  }

  /** A field with a value of its own if it is not given. */
  public static <R, T> Field<R, T> withDefault(
      String name, Codec<T> codec, T value, Function<R, T> getter, String doc, String example) {
    return new Field<>(
        name,
        codec,
        Need.OPTIONAL,
        Optional.of(value),
        Inline.of(codec.write(value)),
        record -> Optional.of(getter.apply(record)),
        doc,
        example);
  }

  /** A field that may be left out: what then holds is said by {@code absentText}. */
  public static <R, T> Field<R, T> optional(
      String name,
      Codec<T> codec,
      String absentText,
      Function<R, Optional<T>> getter,
      String doc,
      String example) {
    return new Field<>(
        name, codec, Need.OPTIONAL, Optional.empty(), absentText, getter, doc, example);
  }

  /** The value to write, if any. */
  Optional<Object> write(R record) {
    return getter.apply(record).map(codec::write);
  }

  /** The sections below this field. */
  public List<Section<?>> sections() {
    return codec.sections();
  }
}
