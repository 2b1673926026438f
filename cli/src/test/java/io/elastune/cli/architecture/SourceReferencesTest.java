package io.elastune.cli.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceReferencesTest {
  @TempDir private Path folder;

  @Test
  void seesConstantsStaticImportsAndNestedTypes() throws IOException {
    Map<String, Set<String>> references =
        SourceReferences.of(
            List.of(
                file("some", "Limits", "public class Limits { public static final int MOST = 3; }"),
                file("some", "Outer", "public class Outer { public static class Inner {} }"),
                file("some", "Same", "class Same { int most = Limits.MOST; }"),
                file(
                    "other",
                    "Constant",
                    "import some.Limits; class Constant { int most = Limits.MOST; }"),
                file(
                    "other",
                    "Static",
                    "import static some.Limits.MOST; class Static { int most = MOST; }"),
                file("other", "Nested", "import some.Outer.Inner; class Nested { Inner inner; }"),
                file("other", "Qualified", "class Qualified { some.Outer.Inner inner; }")));

    assertThat(references)
        .containsEntry("some.Same", Set.of("some.Limits"))
        .containsEntry("other.Constant", Set.of("some.Limits"))
        .containsEntry("other.Static", Set.of("some.Limits"))
        .containsEntry("other.Nested", Set.of("some.Outer"))
        .containsEntry("other.Qualified", Set.of("some.Outer"))
        .containsEntry("some.Outer", Set.of());
  }

  @Test
  void ignoresCommentsPermitsClausesAndHiddenClasses() throws IOException {
    Map<String, Set<String>> references =
        SourceReferences.of(
            List.of(
                file("some", "Kind", "sealed interface Kind permits One {}"),
                file("some", "One", "/** A {@link Hides}. */ record One() implements Kind {}"),
                file("some", "Hides", "class Hides { One one; class One {} }")));

    assertThat(references)
        .containsEntry("some.Kind", Set.of())
        .containsEntry("some.One", Set.of("some.Kind"))
        .containsEntry("some.Hides", Set.of());
  }

  /** Class files of the first two do not refer to each other. */
  @Test
  void circleThroughAConstantIsFound() throws IOException {
    Map<String, Set<String>> references =
        SourceReferences.of(
            List.of(
                file("some", "A", "class A { static final int MOST = 3; other.B b; }"),
                file("other", "B", "class B { int most = some.A.MOST; }"),
                file("other", "C", "class C { B b; }")));

    ClassCircles circles = new ClassCircles(new ClassFileImporter().importClasses(), references);

    assertThat(circles.ofClasses()).containsExactly("other.B -> some.A\nsome.A -> other.B");
    assertThat(circles.ofPackages()).containsExactly("other.B -> some.A\nsome.A -> other.B");
  }

  private Path file(String inPackage, String name, String code) throws IOException {
    Path file = Files.createDirectories(folder.resolve(inPackage)).resolve(name + ".java");
    return Files.writeString(file, "package " + inPackage + "; " + code);
  }
}
