package io.elastune.cli.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.soabase.recordbuilder.core.RecordBuilderGenerated;

/**
 * Assigns every class of the project to the slice of its top-level class, and a generated builder
 * to that of its record.
 */
final class TopLevelClass implements SliceAssignment {
  private static final String BUILDER = "Builder";

  @Override
  public SliceIdentifier getIdentifierOf(JavaClass type) {
    if (!type.getPackageName().startsWith("io.elastune")) {
      return SliceIdentifier.ignore();
    }
    String name = type.getName();
    int nested = name.indexOf('$');
    if (nested >= 0) {
      return SliceIdentifier.of(name.substring(0, nested));
    }
    return SliceIdentifier.of(
        type.isAnnotatedWith(RecordBuilderGenerated.class)
            ? name.substring(0, name.length() - BUILDER.length())
            : name);
  }

  @Override
  public String getDescription() {
    return "each top-level class";
  }
}
