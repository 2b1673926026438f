package io.elastune.core.config;

import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.YamlTreeReader;
import java.util.Map;

/**
 * Reads plan files, and converts plans to their contents: an allocation for every group, and the
 * inputs of the planner.
 */
public final class PlanFile {
  private static final String PLAN = "plan";

  private PlanFile() {}

  /** Returns whether a file is a plan file: it has a top-level field {@code plan}. */
  public static boolean isPlan(String text) {
    return YamlTreeReader.read("", text, new ProblemList())
        .filter(root -> root instanceof MapNode map && map.find(PLAN).isPresent())
        .isPresent();
  }

  /**
   * Returns the plan, or all problems of the file. {@link PlanDocument#check} compares it with a
   * job.
   *
   * @param fileName file name used in messages
   */
  public static ParseResult<PlanDocument> parse(String fileName, String text) {
    return FileParser.parse(fileName, text, PlanSection.of(fileName));
  }

  /**
   * Returns the document as maps, lists and values, so that callers can add fields. From their JSON
   * text, {@link #parse} reads an equal document, except for file name and lines.
   */
  public static Map<String, Object> tree(PlanDocument document) {
    return PlanSection.of("").write(document);
  }
}
