package io.elastune.core.config.codec;

import io.elastune.core.field.CanonicalConstructor;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;

/** Reads and creates records of one type by their components. */
final class RecordType<R> {
  private final Class<R> type;
  private final CanonicalConstructor<R> constructor;

  private RecordType(Class<R> type) {
    this.type = type;
    this.constructor = CanonicalConstructor.of(type);
  }

  static <R> RecordType<R> of(Class<R> type) {
    return new RecordType<>(type);
  }

  Class<R> type() {
    return type;
  }

  List<RecordComponent> components() {
    return constructor.components();
  }

  /**
   * Returns a component by name.
   *
   * @throws IllegalArgumentException if there is none
   */
  RecordComponent component(String name) {
    return components().stream()
        .filter(component -> component.getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(type + " has no component " + name));
  }

  <A extends Annotation> A annotation(Class<A> annotation) {
    return Objects.requireNonNull(type.getAnnotation(annotation), type::toString);
  }

  /** Returns the value of a component; empty if it is an empty optional value. */
  Optional<?> value(RecordComponent component, R values) {
    try {
      Method accessor = component.getAccessor();
      accessor.setAccessible(true); // of a record that may be private
      Object value = Objects.requireNonNull(accessor.invoke(values));
      if (value instanceof OptionalInt number) {
        return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
      }
      if (value instanceof OptionalDouble number) {
        return number.isPresent() ? Optional.of(number.getAsDouble()) : Optional.empty();
      }
      return value instanceof Optional<?> optional ? optional : Optional.of(value);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Creates a record.
   *
   * @param values the value of each component; empty for an optional component or a collection that
   *     is empty
   * @throws IllegalArgumentException if the record refuses its values
   */
  R create(Function<RecordComponent, Optional<?>> values) {
    return constructor.create(
        components().stream()
            .map(component -> wrapped(component, values.apply(component)))
            .toArray());
  }

  private static Object wrapped(RecordComponent component, Optional<?> value) {
    Class<?> wanted = component.getType();
    if (wanted == Optional.class) {
      return value;
    }
    if (wanted == OptionalInt.class) {
      return value.isPresent() ? OptionalInt.of((Integer) value.get()) : OptionalInt.empty();
    }
    if (wanted == OptionalDouble.class) {
      return value.isPresent() ? OptionalDouble.of((Double) value.get()) : OptionalDouble.empty();
    }
    if (value.isPresent()) {
      return value.get();
    }
    if (wanted == List.class) {
      return List.of();
    }
    if (wanted == Map.class) {
      return Map.of();
    }
    throw new IllegalStateException("no value for " + component);
  }
}
