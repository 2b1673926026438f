package io.elastune.cli.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

/** Assigns every class of the project to the slice of its top-level class. */
final class TopLevelClass implements SliceAssignment {
  @Override
  public SliceIdentifier getIdentifierOf(JavaClass type) {
    if (!type.getPackageName().startsWith("io.elastune")) {
      return SliceIdentifier.ignore();
    }
    String name = type.getName();
    int nested = name.indexOf('$');
    return SliceIdentifier.of(nested < 0 ? name : name.substring(0, nested));
  }

  @Override
  public String getDescription() {
    return "each top-level class";
  }
}
