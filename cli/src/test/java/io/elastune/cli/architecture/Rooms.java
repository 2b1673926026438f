package io.elastune.cli.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rooms of the house, which are its Maven modules, and the arrows allowed between them. */
final class Rooms {

  private static final String BASE = "io.elastune";
  private static final String API = "provisioner/api";
  private static final String KINDS = "provisioner/";

  /** What each room may use; {@link #mayUse} adds the kinds of provisioner, which are all alike. */
  private static final Map<String, Set<String>> ARROWS =
      Map.of(
          "core",
          Set.of(),
          "simulator",
          Set.of("core"),
          "planner",
          Set.of("core", "simulator"),
          API,
          Set.of("core"),
          "executor",
          Set.of("core", "simulator", "planner", API),
          "profiler",
          Set.of("core", "executor"),
          "cli",
          Set.of("core", "simulator", "planner", API, "executor", "profiler"));

  /** All rooms, by their folders, as the poms list them. */
  static final List<String> ALL =
      Poms.ofModules().entrySet().stream()
          .filter(module -> Poms.elements(module.getValue(), "module").isEmpty())
          .map(Map.Entry::getKey)
          .toList();

  private Rooms() {}

  static Set<String> mayUse(String room) {
    Set<String> arrows = ARROWS.get(room);
    if (arrows == null && room.startsWith(KINDS)) {
      arrows = Set.of("core", API);
    }
    if (arrows == null) {
      throw new AssertionError("Room " + room + " has no row in the table. Maybe add one.");
    }
    return arrows;
  }

  /** The package that all of a room's packages lie in. */
  static String packageOf(String room) {
    return BASE + "." + (room.equals(API) ? "provisioner" : room.replace('/', '.'));
  }

  /** The room that a class was compiled in, told from where its file lies. */
  static String roomOf(JavaClass type) {
    String source = type.getSource().orElseThrow().getUri().toString();
    return ALL.stream()
        .filter(room -> source.contains(Poms.ROOT.resolve(room).toUri().getRawPath()))
        .findFirst()
        .orElseThrow(() -> new AssertionError(type.getName() + " is from no room: " + source));
  }

  /** The room that a class should be in by its package: the one with the longest matching name. */
  static String roomByPackage(JavaClass type) {
    return ALL.stream()
        .filter(room -> (type.getPackageName() + ".").startsWith(packageOf(room) + "."))
        .max(Comparator.comparing(room -> packageOf(room).length()))
        .orElse("none");
  }
}
