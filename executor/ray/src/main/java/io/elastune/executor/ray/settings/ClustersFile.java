package io.elastune.executor.ray.settings;

import io.elastune.core.config.FileParser;
import io.elastune.core.config.FileProblemsException;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.MappedCodec;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.executor.ray.acceptance.AcceptanceSettings;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Parses the Ray section of {@code clouds.yaml}: settings by name of the cluster. */
final class ClustersFile {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z][a-zA-Z0-9_-]*");
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern ADDRESS = Pattern.compile("auto|[^:/\\s]+:[0-9]+");

  /** Sections of other providers are ignored. */
  @FileSection(title = "", doc = "Settings of the cloud accounts.")
  private record NamedClusters(
      @FileField(doc = "Ray clusters by name.", absent = "{}", example = "")
          Map<String, ClusterSettings> ray) {}

  private static final Section<ClusterSettings> CLUSTER =
      RecordSection.define(ClusterSettings.class)
          .codec("address", StringCodecs.matching("HOST:PORT or auto", ADDRESS))
          .codec(
              "via",
              new MappedCodec<>(
                  StringCodecs.text(),
                  via -> List.of(via.strip().split("\\s+")),
                  via -> String.join(" ", via)))
          .codec("tokenVariable", StringCodecs.matching("environment variable", VARIABLE))
          .codec("acceptance", AcceptanceSettings.section(AcceptanceSettings.OF_USER_CLUSTER))
          .section();
  private static final Section<NamedClusters> FILE =
      RecordSection.define(NamedClusters.class)
          .codec("ray", MapCodecs.of(NAME, "a name of letters and digits", CLUSTER))
          .section()
          .allowUnknownFields();

  private ClustersFile() {}

  /**
   * Returns the settings by name.
   *
   * @throws FileProblemsException with all problems of the section
   */
  static Map<String, ClusterSettings> parse(String fileName, String text) {
    return FileParser.parse(fileName, text, FILE).orThrow().ray();
  }
}
