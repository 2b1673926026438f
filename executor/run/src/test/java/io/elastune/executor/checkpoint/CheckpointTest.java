package io.elastune.executor.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CheckpointTest {
  /** The checksum of "abc". */
  private static final String SHA256 =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @TempDir private Path folder;

  @BeforeEach
  void createModel() throws IOException {
    Files.createDirectory(folder.resolve("deep"));
    Files.writeString(folder.resolve("deep/model"), "abc");
  }

  private static List<JsonNode> vectors() throws IOException {
    Path file = Path.of("../../docs/checkpoint-vectors.json");
    return List.copyOf(new JsonMapper().readTree(Files.readString(file)).path("cases").values());
  }

  /** The Python helper and the bridge to Ray pass the same cases. */
  @ParameterizedTest
  @MethodSource("vectors")
  void linksHaveOneRule(JsonNode vector) throws IOException {
    Path checkpoint = Files.createDirectory(folder.resolve("4"));
    List<String> entries = new ArrayList<>();
    for (JsonNode name : vector.path("files")) {
      Path file = checkpoint.resolve(name.asString());
      Files.createDirectories(file.resolveSibling(""));
      Files.writeString(file, "abc");
      entries.add(
          "{\"name\": \"%s\", \"size\": 3, \"sha256\": \"%s\"}".formatted(name.asString(), SHA256));
    }
    for (Map.Entry<String, JsonNode> link : vector.path("links").properties()) {
      String target = link.getValue().asString();
      Path file = checkpoint.resolve(link.getKey());
      Files.createDirectories(file.resolveSibling(""));
      Files.createSymbolicLink(file, Path.of(target));
      entries.add("{\"name\": \"%s\", \"link\": \"%s\"}".formatted(link.getKey(), target));
    }
    Files.writeString(
        checkpoint.resolve("manifest.json"),
        "{\"unit\": 4, \"files\": [" + String.join(", ", entries) + "]}");

    assertThat(Checkpoint.problem(checkpoint, 4).isEmpty())
        .as("%s: %s", vector.path("name").asString(), Checkpoint.problem(checkpoint, 4))
        .isEqualTo(vector.path("valid").asBoolean());
    for (String link : vector.path("links").propertyNames()) {
      Files.delete(checkpoint.resolve(link));
    }
    CheckpointLink.create(checkpoint);
    assertThat(Checkpoint.problem(checkpoint, 4).isEmpty())
        .as("after a copy of the files")
        .isEqualTo(vector.path("valid").asBoolean());
  }

  /** The links of a hostile manifest must not lead the controller out of the folder. */
  @Test
  void copiedLinksStayInside() throws IOException {
    Path checkpoint = Files.createDirectories(folder.resolve("copied/4"));
    Path outside = Files.createDirectories(folder.resolve("copied/outside"));
    Files.createSymbolicLink(checkpoint.resolve("c"), outside);
    Files.writeString(
        checkpoint.resolve("manifest.json"),
        "{\"unit\": 4, \"files\": [{\"name\": \"a\", \"link\": \"../outside\"},"
            + " {\"name\": \"b\", \"link\": \"c\"}, {\"name\": \"b/x\", \"link\": \"y\"},"
            + " {\"name\": \"d\", \"link\": \""
            + outside
            + "\"}, {\"name\": \"e/f\", \"link\": \"../b\"}]}");
    CheckpointLink.create(checkpoint);

    assertThat(outside).isEmptyDirectory();
    assertThat(checkpoint.toFile().list())
        .containsExactlyInAnyOrder("b", "c", "e", "manifest.json");
  }

  @Test
  void tornIfALinkIsNotTheListedOne() throws IOException {
    Files.createSymbolicLink(folder.resolve("last"), Path.of("deep/model"));
    manifest(4, "last", 3, SHA256);
    assertThat(Checkpoint.problem(folder, 4)).get().asString().contains("last is a link");
    Files.writeString(
        folder.resolve("manifest.json"),
        "{\"unit\": 4, \"files\": [{\"name\": \"last\", \"link\": \"deep/other\"}]}");
    assertThat(Checkpoint.problem(folder, 4))
        .get()
        .asString()
        .contains("not the link to deep/other");
    Files.createSymbolicLink(folder.resolve("now"), Path.of("deep"));
    manifest(4, "now/model", 3, SHA256);
    assertThat(Checkpoint.problem(folder, 4)).get().asString().contains("now/model is a link");
  }

  @Test
  void completeIfAllFilesMatch() throws IOException {
    manifest(4, "deep/model", 3, SHA256);
    assertThat(Checkpoint.problem(folder, 4)).isEmpty();
  }

  @Test
  void tornWithoutAValidManifest() throws IOException {
    assertThat(Checkpoint.problem(folder, 4)).get().asString().contains("no manifest");
    Files.writeString(folder.resolve("manifest.json"), "{\"unit\": 4, \"files\": [{\"na");
    assertThat(Checkpoint.problem(folder, 4)).get().asString().contains("not JSON");
    Files.writeString(folder.resolve("manifest.json"), "");
    assertThat(Checkpoint.problem(folder, 4)).isPresent();
    Files.writeString(folder.resolve("manifest.json"), "{\"unit\": 4}");
    assertThat(Checkpoint.problem(folder, 4)).isPresent();
    Files.writeString(folder.resolve("manifest.json"), "{\"unit\": 4, \"files\": [{}]}");
    assertThat(Checkpoint.problem(folder, 4)).isPresent();
  }

  @Test
  void tornIfTheUnitDiffers() throws IOException {
    manifest(5, "deep/model", 3, SHA256);
    assertThat(Checkpoint.problem(folder, 4)).get().asString().contains("belongs to unit 5");
  }

  @Test
  void tornIfAFileIsMissingOrDiffers() throws IOException {
    manifest(4, "model", 3, SHA256);
    assertThat(Checkpoint.problem(folder, 4)).get().asString().contains("model is missing");
    manifest(4, "deep/model", 4, SHA256);
    assertThat(Checkpoint.problem(folder, 4)).get().asString().contains("3 bytes instead of 4");
    manifest(4, "deep/model", 3, SHA256.replace('b', 'c'));
    assertThat(Checkpoint.problem(folder, 4)).get().asString().contains("checksum");
  }

  @Test
  void filesOutsideTheFolderAreRejected() throws IOException {
    manifest(4, "../../etc/passwd", 3, SHA256);
    assertThat(Checkpoint.problem(folder, 4)).get().asString().contains("outside");
  }

  private void manifest(int unit, String name, long size, String sum) throws IOException {
    String file =
        "{\"name\": \"" + name + "\", \"size\": " + size + ", \"sha256\": \"" + sum + "\"}";
    Files.writeString(
        folder.resolve("manifest.json"), "{\"unit\": " + unit + ", \"files\": [" + file + "]}");
  }
}
