package io.elastune.cli.wheel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
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
               {"bom-ref": "pkg:maven/b/data@5?classifier=linux&type=jar", "name": "data", "version": "5"}]}
            """);
    for (String cloud : List.of("aws", "gcp")) {
      Files.createDirectory(lib.resolve(cloud));
    }
    jar("elastune-cli-1", "A.class");
    jar("log-4", "A.class");
    jar("data-5-linux", "bin/python3");
    jar("aws/elastune-provisioner-aws-1", "A.class", "ec2-2.jar", "log-4.jar");
    jar("aws/ec2-2", "A.class");
    jar("gcp/elastune-provisioner-gcp-1", "A.class", "both-3.jar");
    jar("gcp/both-3", "A.class");
  }

  @Test
  void extraHasTheFolderOfItsCloud() {
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
                "elastune", Set.of("elastune-cli-1.jar", "log-4.jar"),
                "elastune-nodes", Set.of("data-5-linux.jar"),
                "elastune-aws", Set.of("elastune-provisioner-aws-1.jar", "ec2-2.jar"),
                "elastune-gcp", Set.of("elastune-provisioner-gcp-1.jar", "both-3.jar")));
  }

  @Test
  void everyJarMustBeInTheListOfDependencies() throws IOException {
    jar("new-1", "A.class");
    assertThatThrownBy(() -> ReleaseJars.distribute(lib, sbom, List.of("aws")))
        .isInstanceOf(UnsuitableInput.class)
        .hasMessageContaining("new-1.jar");
  }

  @Test
  void libraryOfAProviderMustBeInTheRelease() throws IOException {
    Files.delete(lib.resolve("gcp/both-3.jar"));
    assertThatThrownBy(() -> ReleaseJars.distribute(lib, sbom, List.of("aws", "gcp")))
        .isInstanceOf(UnsuitableInput.class)
        .hasMessageContaining("elastune-provisioner-gcp-1.jar needs [both-3.jar]");
  }

  @Test
  void libraryOfACloudCannotBeInTheCore() throws IOException {
    jar("ec2-2", "A.class");
    assertThatThrownBy(() -> ReleaseJars.distribute(lib, sbom, List.of("aws")))
        .isInstanceOf(UnsuitableInput.class)
        .hasMessageContaining("[ec2-2.jar] are in the folder of aws, and in the core");
  }

  private void jar(String name, String entry, String... classPath) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (classPath.length > 0) {
      manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, String.join(" ", classPath));
    }
    try (JarOutputStream jar =
        new JarOutputStream(Files.newOutputStream(lib.resolve(name + ".jar")), manifest)) {
      jar.putNextEntry(new ZipEntry(entry));
    }
  }
}
