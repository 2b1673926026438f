package io.elastune.cli.architecture;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Which top-level classes the source of each class names. That includes constants, which the
 * compiler copies so that class files do not refer to their class, static imports and nested types.
 * Comments and {@code permits} clauses do not count: a sealed type is one idea with its variants.
 */
final class SourceReferences {
  private final Set<String> all = new HashSet<>();
  private final Map<String, Set<String>> references = new TreeMap<>();

  private SourceReferences() {}

  /**
   * Returns by name of a top-level class the other ones that its source names.
   *
   * @param sources the files of these classes
   */
  static Map<String, Set<String>> of(List<Path> sources) {
    SourceReferences found = new SourceReferences();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources));
      List<CompilationUnitTree> units = new ArrayList<>();
      task.parse().forEach(units::add);
      units.forEach(unit -> topLevel(unit).forEach(found.all::add));
      units.forEach(found::read);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found.references;
  }

  private static List<String> topLevel(CompilationUnitTree unit) {
    return unit.getTypeDecls().stream()
        .filter(ClassTree.class::isInstance)
        .map(type -> unit.getPackageName() + "." + ((ClassTree) type).getSimpleName())
        .toList();
  }

  private void read(CompilationUnitTree unit) {
    Names names = new Names(unit);
    unit.getTypeDecls().forEach(type -> names.scan(type, null));
    for (String type : topLevel(unit)) {
      names.named.remove(type);
      references.put(type, names.named);
    }
  }

  /** Collects the classes that a file names. */
  private final class Names extends TreeScanner<Void, Void> {
    final Set<String> named = new TreeSet<>();
    private final String inPackage;
    private final Map<String, String> imported = new HashMap<>();
    private final Set<String> nested = new HashSet<>();

    Names(CompilationUnitTree unit) {
      inPackage = unit.getPackageName() + ".";
      for (ImportTree each : unit.getImports()) {
        String name = each.getQualifiedIdentifier().toString();
        imported.put(name.substring(name.lastIndexOf('.') + 1), name);
        if (each.isStatic()) {
          name(name);
        }
      }
      unit.getTypeDecls().forEach(type -> new Nested().scan(type, null));
    }

    /** Adds the top-level class that is or contains a class or member, if there is one. */
    private void name(String qualified) {
      String name = qualified;
      while (name.contains(".") && !all.contains(name)) {
        name = name.substring(0, name.lastIndexOf('.'));
      }
      if (all.contains(name)) {
        named.add(name);
      }
    }

    @Override
    public Void visitClass(ClassTree type, Void unused) {
      scan(type.getModifiers(), null);
      scan(type.getTypeParameters(), null);
      scan(type.getExtendsClause(), null);
      scan(type.getImplementsClause(), null);
      scan(type.getMembers(), null);
      return null;
    }

    @Override
    public Void visitIdentifier(IdentifierTree identifier, Void unused) {
      String name = identifier.getName().toString();
      if (imported.containsKey(name)) {
        name(imported.get(name));
      } else if (!nested.contains(name)) {
        name(inPackage + name);
      }
      return null;
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree select, Void unused) {
      name(select.toString());
      return super.visitMemberSelect(select, null);
    }

    /** Collects the names of nested types, which hide classes of the package. */
    private final class Nested extends TreeScanner<Void, Void> {
      @Override
      public Void visitClass(ClassTree type, Void unused) {
        type.getMembers().stream()
            .filter(ClassTree.class::isInstance)
            .map(member -> ((ClassTree) member).getSimpleName().toString())
            .forEach(nested::add);
        return super.visitClass(type, null);
      }
    }
  }
}
