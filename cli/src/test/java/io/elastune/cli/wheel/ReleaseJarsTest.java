package io.elastune.cli.wheel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReleaseJarsTest {
  @TempDir Path folder;
  private Path lib;
  private Path sbom;

  @BeforeEach
  void write() throws IOException {
    lib = Files.createDirectory(folder.resolve("lib"));
    sbom =
        Files.writeString(
            folder.resolve("sbom.json"),
            """
            {"metadata": {"component": {"bom-ref": "pkg:maven/e/elastune-cli@1?type=jar", "name": "elastune-cli", "version": "1"}},
             "components": [
               {"bom-ref": "pkg:maven/e/elastune-provisioner-aws@1?type=jar", "name": "elastune-provisioner-aws", "version": "1"},
               {"bom-ref": "pkg:maven/e/elastune-provisioner-gcp@1?type=jar", "name": "elastune-provisioner-gcp", "version": "1"},
               {"bom-ref": "ec2", "name": "ec2", "version": "2"},
               {"bom-ref": "both", "name": "both", "version": "3"},
               {"bom-ref": "log", "name": "log", "version": "4"},
               {"bom-ref": "pkg:maven/b/data@5?classifier=linux&type=jar", "name": "data", "version": "5"}],
             "dependencies": [
               {"ref": "pkg:maven/e/elastune-cli@1?type=jar", "dependsOn": ["pkg:maven/e/elastune-provisioner-aws@1?type=jar", "pkg:maven/e/elastune-provisioner-gcp@1?type=jar", "log", "pkg:maven/b/data@5?classifier=linux&type=jar"]},
               {"ref": "pkg:maven/e/elastune-provisioner-aws@1?type=jar", "dependsOn": ["ec2", "both", "log"]},
               {"ref": "pkg:maven/e/elastune-provisioner-gcp@1?type=jar", "dependsOn": ["both"]}]}
            """);
    for (String name :
        List.of(
            "elastune-cli-1",
            "elastune-provisioner-aws-1",
            "elastune-provisioner-gcp-1",
            "ec2-2",
            "both-3",
            "log-4")) {
      jar(name, "A.class");
    }
    jar("data-5-linux", "bin/python3");
  }

  @Test
  void extraHasWhatOnlyItsCloudNeeds() {
    Map<String, Set<String>> wheels =
        ReleaseJars.distribute(lib, sbom, List.of("aws", "gcp")).entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey,
                    wheel ->
                        wheel.getValue().stream()
                            .map(jar -> jar.getFileName().toString())
                            .collect(Collectors.toSet())));
    assertThat(wheels)
        .isEqualTo(
            Map.of(
                "elastune", Set.of("elastune-cli-1.jar", "log-4.jar", "both-3.jar"),
                "elastune-nodes", Set.of("data-5-linux.jar"),
                "elastune-aws", Set.of("elastune-provisioner-aws-1.jar", "ec2-2.jar"),
                "elastune-gcp", Set.of("elastune-provisioner-gcp-1.jar")));
  }

  @Test
  void everyJarMustBeInTheListOfDependencies() throws IOException {
    jar("new-1", "A.class");
    assertThatThrownBy(() -> ReleaseJars.distribute(lib, sbom, List.of("aws")))
        .isInstanceOf(UnsuitableInput.class)
        .hasMessageContaining("new-1.jar");
  }

  private void jar(String name, String entry) throws IOException {
    try (ZipOutputStream zip =
        new ZipOutputStream(Files.newOutputStream(lib.resolve(name + ".jar")))) {
      zip.putNextEntry(new ZipEntry(entry));
    }
  }
}
