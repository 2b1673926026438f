package io.elastune.core.config.codec;

import io.elastune.core.IntRange;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.Items;
import io.elastune.core.field.Word;
import io.elastune.core.time.Durations;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The codecs of record components by their types, {@link Bounds} and {@link Items}. */
final class TypeCodecs {
  private static final double NANOS_PER_SECOND = 1e9;

  private TypeCodecs() {}

  /**
   * Returns the codec for the value of a component.
   *
   * @param section returns the section of a type that is read from one
   * @throws IllegalArgumentException if values of its type can be read in several ways
   */
  static Codec<?> of(RecordComponent component, Function<Class<?>, Optional<Codec<?>>> section) {
    @Nullable Bounds bounds = component.getAnnotation(Bounds.class);
    Type type = component.getGenericType();
    if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
      Codec<?> item = ofValue(component, list.getActualTypeArguments()[0], bounds, section);
      @Nullable Items items = component.getAnnotation(Items.class);
      return items == null
          ? ListCodecs.of(item)
          : items.distinct() ? ListCodecs.distinct(item) : ListCodecs.nonEmpty(item);
    }
    boolean isOptional =
        type instanceof ParameterizedType optional && optional.getRawType() == Optional.class;
    return ofValue(
        component,
        isOptional ? ((ParameterizedType) type).getActualTypeArguments()[0] : type,
        bounds,
        section);
  }

  private static Codec<?> ofValue(
      RecordComponent component,
      Type type,
      @Nullable Bounds bounds,
      Function<Class<?>, Optional<Codec<?>>> section) {
    Optional<Codec<?>> inner = type instanceof Class<?> raw ? section.apply(raw) : Optional.empty();
    if (inner.isPresent()) {
      return inner.get();
    }
    if (type == String.class) {
      return StringCodecs.text();
    }
    if (type == boolean.class) {
      return ScalarCodecs.trueOrFalse();
    }
    if (type == IntRange.class) {
      return QuantityCodecs.range();
    }
    if (type == Instant.class) {
      return QuantityCodecs.dateTime();
    }
    if (type == Duration.class) {
      return bounds == null
          ? QuantityCodecs.duration(Duration.ofSeconds(1), Durations.LONGEST)
          : QuantityCodecs.duration(least(bounds), most(bounds));
    }
    if (type == int.class || type == OptionalInt.class || type == Integer.class) {
      return wholeNumber(component, bounds);
    }
    if (type == long.class || type == Long.class) {
      return bounds == null
          ? NumberCodecs.wholeNumber64()
          : NumberCodecs.wholeNumber64((long) bounds.least());
    }
    if (type == double.class || type == OptionalDouble.class || type == Double.class) {
      return bounds == null ? NumberCodecs.finite() : number(bounds);
    }
    if (type instanceof Class<?> raw && raw.isEnum() && Word.class.isAssignableFrom(raw)) {
      return word(raw.getEnumConstants());
    }
    throw new IllegalArgumentException("no codec for " + component);
  }

  private static Duration least(Bounds bounds) {
    return bounds.above0()
        ? Duration.ofNanos(1)
        : Duration.ofNanos(Math.round(bounds.least() * NANOS_PER_SECOND));
  }

  private static Duration most(Bounds bounds) {
    return Double.isInfinite(bounds.most())
        ? Durations.LONGEST
        : Duration.ofNanos(Math.round(bounds.most() * NANOS_PER_SECOND));
  }

  private static Codec<Integer> wholeNumber(RecordComponent component, @Nullable Bounds bounds) {
    if (bounds == null) {
      throw new IllegalArgumentException("no bounds for " + component);
    }
    return NumberCodecs.wholeNumber(
        (int) bounds.least(), (int) Math.min(bounds.most(), Integer.MAX_VALUE));
  }

  private static Codec<Double> number(Bounds bounds) {
    if (bounds.above0()) {
      return Double.isInfinite(bounds.most())
          ? NumberCodecs.above0()
          : NumberCodecs.above0(bounds.most(), bounds.unit());
    }
    return NumberCodecs.between(bounds.least(), bounds.most(), bounds.unit());
  }

  private static Codec<Object> word(Object[] values) {
    return StringCodecs.word(values, value -> ((Word) value).word(), List.of(), Map.of());
  }
}
