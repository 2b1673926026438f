package io.elastune.cli.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import io.soabase.recordbuilder.core.RecordBuilderGenerated;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jgrapht.Graph;
import org.jgrapht.alg.connectivity.KosarajuStrongConnectivityInspector;
import org.jgrapht.graph.DefaultDirectedGraph;
import org.jgrapht.graph.DefaultEdge;

/**
 * Finds circles of classes or packages that refer to each other, by their class files and by their
 * sources together: a circle may have a link that only one of both shows.
 */
final class ClassCircles {
  private static final String BUILDER = "Builder";

  private final Map<String, Set<String>> references = new TreeMap<>();

  /**
   * @param classes the classes of the project; a nested one counts as its top-level class, and a
   *     generated builder as its record
   * @param bySource by class, other ones to which its source refers
   */
  ClassCircles(JavaClasses classes, Map<String, Set<String>> bySource) {
    bySource.forEach(this::add);
    for (JavaClass type : classes) {
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        if (classes.contain(dependency.getTargetClass().getName())) {
          add(topLevel(type), Set.of(topLevel(dependency.getTargetClass())));
        }
      }
    }
  }

  private void add(String from, Set<String> to) {
    references.computeIfAbsent(from, name -> new TreeSet<>()).addAll(to);
  }

  /** Returns the name of the top-level class, or of the record of a generated builder. */
  static String topLevel(JavaClass type) {
    String name = type.getName();
    int nested = name.indexOf('$');
    if (nested >= 0) {
      return name.substring(0, nested);
    }
    return type.isAnnotatedWith(RecordBuilderGenerated.class)
        ? name.substring(0, name.length() - BUILDER.length())
        : name;
  }

  /** Returns the circles of classes, each with its links. */
  List<String> ofClasses() {
    return circles(UnaryOperator.identity());
  }

  /** Returns the circles of packages, each with its links. */
  List<String> ofPackages() {
    return circles(name -> name.substring(0, name.lastIndexOf('.')));
  }

  private List<String> circles(UnaryOperator<String> part) {
    Graph<String, DefaultEdge> graph = new DefaultDirectedGraph<>(DefaultEdge.class);
    references.forEach(
        (from, all) ->
            all.forEach(
                to -> {
                  graph.addVertex(part.apply(from));
                  graph.addVertex(part.apply(to));
                  if (!part.apply(from).equals(part.apply(to))) {
                    graph.addEdge(part.apply(from), part.apply(to));
                  }
                }));
    return new KosarajuStrongConnectivityInspector<>(graph)
        .stronglyConnectedSets().stream()
            .filter(circle -> circle.size() > 1)
            .map(circle -> links(circle, part))
            .sorted()
            .toList();
  }

  private String links(Set<String> circle, UnaryOperator<String> part) {
    Set<String> links = new TreeSet<>();
    references.forEach(
        (from, all) ->
            all.stream()
                .filter(to -> circle.contains(part.apply(from)) && circle.contains(part.apply(to)))
                .filter(to -> !part.apply(from).equals(part.apply(to)))
                .forEach(to -> links.add(from + " -> " + to)));
    return String.join("\n", links);
  }
}
