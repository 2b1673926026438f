package io.elastune.core.field;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The constructor of a record with all its components, for files and tables that are read into
 * records.
 *
 * @param components the components in their order
 */
public record CanonicalConstructor<R>(
    List<RecordComponent> components, Constructor<R> constructor) {
  /** Returns the constructor of a record, which may be private. */
  public static <R> CanonicalConstructor<R> of(Class<R> type) {
    List<RecordComponent> components = List.of(type.getRecordComponents());
    Class<?>[] types = components.stream().map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      Constructor<R> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return new CanonicalConstructor<>(components, constructor);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(type + " has no constructor with all its components", e);
    }
  }

  /**
   * Creates a record.
   *
   * @param values the value of each component
   * @throws RuntimeException that of the record if it refuses its values
   */
  public R create(@Nullable Object... values) {
    try {
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the name of a component as in files and tables: in snake case. */
  public static String snakeCase(String name) {
    StringBuilder snake = new StringBuilder(name.length() + 4);
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (Character.isUpperCase(c)) {
        snake.append('_');
      }
      snake.append(Character.toLowerCase(c));
    }
    return snake.toString();
  }
}
