package io.elastune.core.files;

import io.elastune.core.files.tree.MapNode;
import io.elastune.core.files.tree.Node;
import io.elastune.core.files.tree.TreeReader;
import io.elastune.core.files.tree.YamlWriter;
import io.elastune.core.job.Job;
import java.util.Optional;

/** Job files: what is to be tuned, by when, for how much. */
public final class JobFile {
  private JobFile() {}

  /**
   * The job, or everything that is wrong with the file or the overrides.
   *
   * @param fileName for messages
   */
  public static Parsed<Job> parse(String fileName, String text, Overrides overrides) {
    return Reader.parse(fileName, text, JobSection.SECTION, overrides::applyTo);
  }

  /**
   * In which line of a job file a field stands, or the innermost group around it that is there; 0
   * if the file has none of them.
   *
   * @param field its path, e.g. {@code resources.offers}
   */
  public static int lineOf(String text, String field) {
    int line = 0;
    Optional<Node> at = TreeReader.read("", text, new ProblemList());
    for (String name : field.split("\\.", -1)) {
      Optional<MapNode.Entry> entry =
          at.filter(MapNode.class::isInstance).flatMap(group -> ((MapNode) group).find(name));
      line = entry.map(found -> found.place().line()).orElse(line);
      at = entry.map(MapNode.Entry::value);
    }
    return line;
  }

  /** A job file with every default written out, from which {@link #parse} makes an equal job. */
  public static String write(Job job) {
    return YamlWriter.write(JobSection.SECTION.write(job));
  }
}
