package io.elastune.core.files;

import io.elastune.core.files.tree.JsonWriter;
import io.elastune.core.files.tree.MapNode;
import io.elastune.core.files.tree.TreeReader;
import java.util.Map;

/** Plan files, in JSON: an allocation for every group, and what it was planned from. */
public final class PlanFile {
  private static final String PLAN = "plan";

  private PlanFile() {}

  /** Whether a file is a plan: it has a top-level {@code plan}. */
  public static boolean isPlan(String text) {
    return TreeReader.read("", text, new ProblemList())
        .filter(root -> root instanceof MapNode map && map.find(PLAN).isPresent())
        .isPresent();
  }

  /**
   * The plan, or everything that is wrong with the file. Whether it fits a job is told by {@link
   * PlanDocument#check}.
   *
   * @param fileName for messages
   */
  public static Parsed<PlanDocument> parse(String fileName, String text) {
    return Reader.parse(fileName, text, PlanSection.of(fileName));
  }

  /** A plan file from which {@link #parse} makes an equal document, but for file and lines. */
  public static String write(PlanDocument document) {
    return JsonWriter.write(tree(document));
  }

  /** The same as maps, lists and values, to be put together with more. */
  public static Map<String, Object> tree(PlanDocument document) {
    return PlanSection.of("").write(document);
  }
}
