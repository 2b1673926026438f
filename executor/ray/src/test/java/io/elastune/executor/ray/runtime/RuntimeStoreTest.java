package io.elastune.executor.ray.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.core.files.LockedFile;
import io.elastune.executor.checkpoint.FileChecksum;
import io.elastune.executor.engine.NodeRuntime;
import io.elastune.executor.engine.RuntimeSources;
import io.elastune.provisioner.CloudException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Builds runtimes from an interpreter that is a shell script. */
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class RuntimeStoreTest {
  /** Installs a package as pip does, and compiles nothing. */
  private static final String PYTHON =
      """
      #!/bin/sh
      root=$(cd "$(dirname "$0")/.." && pwd)
      case "$*" in
        *' pip install '*)
          echo "$*" >"$root/../../calls"
          [ ! -e "$root/../../unavailable" ] || { echo 'ERROR: no matching distribution'; exit 1; }
          packages=$root/lib/python3.11/site-packages
          mkdir -p "$packages/ray/jars" "$packages/ray-2.58.0.dist-info" "$packages/__pycache__"
          printf 'Name: ray\\nVersion: 2.58.0\\nLicense: Apache 2.0\\n\\nLicense: none\\n' \\
            >"$packages/ray-2.58.0.dist-info/METADATA"
          echo x >"$packages/__pycache__/x.pyc"
          echo x >"$packages/ray/jars/unused.jar"
          cp "$root/../../extra.so" "$packages/ray/" 2>/dev/null
          exit 0 ;;
        *' -c '*) echo 3.11.3 2.58.0 ;;
        *compileall*) ;;
        *) exit 9 ;;
      esac
      """;

  @TempDir private Path folder;
  private final List<String> progress = new ArrayList<>();
  private Instant now = Instant.parse("2026-11-29T10:00:00Z");

  private RuntimeStore store() {
    return new RuntimeStore(List.of(folder.resolve("store"), folder.resolve("none")), () -> now);
  }

  private NodeRuntime build() throws IOException {
    return build(zip());
  }

  private NodeRuntime build(Path archive) throws IOException {
    RuntimeSources.Interpreter interpreter =
        new RuntimeSources.Interpreter(archive, FileChecksum.of(archive));
    return store()
        .build(new RuntimeSources(Optional.of(interpreter), Optional.empty()), progress::add);
  }

  private Path zip() throws IOException {
    Path file = folder.resolve("python.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      for (String name : List.of("bin/python3", "bin/pip3", "lib/python3.11/LICENSE.txt")) {
        ZipEntry entry = new ZipEntry("some/prefix/" + name);
        entry.setTime(0);
        zip.putNextEntry(entry);
        zip.write(PYTHON.getBytes(StandardCharsets.US_ASCII));
      }
    }
    return file;
  }

  @Test
  void buildsRuntimeOnce() throws IOException {
    NodeRuntime built = build();

    assertThat(built.version()).matches("python3\\.11\\.3-ray2\\.58\\.0-[0-9a-f]{12}");
    assertThat(built.contents()).isEqualTo("Python 3.11.3 and Ray 2.58.0");
    assertThat(built.sha256()).isEqualTo(FileChecksum.of(built.archive()));
    assertThat(built.bytes()).isEqualTo(Files.size(built.archive()));
    assertThat(RuntimeStore.python(built)).endsWith("/bin/python3");
    assertThat(progress).hasSize(4).first().isEqualTo("Unpacking python.zip");

    now = now.plusSeconds(60);
    assertThat(build().version()).isEqualTo(built.version());
    assertThat(store().list())
        .singleElement()
        .satisfies(only -> assertThat(only.built()).isEqualTo(now));
    try (var folders = Files.newDirectoryStream(folder.resolve("store"), "{build-,python}*")) {
      assertThat(folders).hasSize(1);
    }
  }

  @Test
  void filesOfKilledBuildAreDeleted() throws IOException {
    Path left = Files.createDirectories(folder.resolve("store/build-1/python/bin"));
    Files.writeString(left.resolve("python3"), "partial");
    build();
    assertThat(folder.resolve("store/build-1")).doesNotExist();
  }

  @Test
  void secondBuildAtTheSameTimeIsRefused() throws IOException {
    Path store = Files.createDirectories(folder.resolve("store"));
    Path part = Files.createDirectories(store.resolve("build-1"));
    try (LockedFile other = LockedFile.tryAcquire(store.resolve("build.lock")).orElseThrow()) {
      assertThatThrownBy(this::build).hasMessageContaining("Another process builds a runtime in ");
      other.requireHeld();
    }
    assertThat(part).exists();
  }

  @Test
  void runtimesOfAllUsersAreFound() throws IOException {
    NodeRuntime shared = build();
    RuntimeStore own =
        new RuntimeStore(List.of(folder.resolve("own"), folder.resolve("store")), () -> now);

    assertThat(own.list()).containsExactly(shared);
    assertThat(own.find(shared.version())).contains(shared);
  }

  @Test
  void archiveContainsWhatNodesUseAndTheLicenses() throws IOException {
    NodeRuntime built = build();
    Path unpacked = Files.createDirectory(folder.resolve("unpacked"));
    BuildStep.named("test")
        .run("tar", "-xzf", built.archive().toString(), "-C", unpacked.toString());

    assertThat(unpacked.resolve("bin/python3")).isExecutable();
    assertThat(unpacked.resolve("bin/pip3")).doesNotExist();
    Path packages = unpacked.resolve("lib/python3.11/site-packages");
    assertThat(packages.resolve("sitecustomize.py")).content().contains("ca-certificates.crt");
    assertThat(packages.resolve("__pycache__")).doesNotExist();
    assertThat(packages.resolve("ray")).isDirectory();
    assertThat(packages.resolve("ray/jars")).doesNotExist();
    assertThat(unpacked.resolve("LICENSES.txt"))
        .content()
        .contains("python.zip, SHA-256 ", "lib/python3.11/LICENSE.txt")
        .contains("ray 2.58.0: Apache 2.0 (ray-2.58.0.dist-info)");
  }

  @Test
  void tarArchiveIsAccepted() throws IOException {
    Path root = Files.createDirectories(folder.resolve("tree/python/lib/python3.11/site-packages"));
    Path program = Files.createDirectories(folder.resolve("tree/python/bin")).resolve("python3.11");
    Files.writeString(program, PYTHON);
    Files.createSymbolicLink(program.resolveSibling("python3"), Path.of("python3.11"));
    Path archive = folder.resolve("python.tar.gz");
    BuildStep.named("test")
        .run("tar", "-czf", archive.toString(), "-C", folder.resolve("tree").toString(), "python");

    assertThat(root).isDirectory();
    assertThat(build(archive).contents()).isEqualTo("Python 3.11.3 and Ray 2.58.0");
  }

  @Test
  void packagesAreRequestedForOldSystems() throws IOException {
    build();

    assertThat(folder.resolve("store/calls"))
        .content()
        .contains("--only-binary=:all:", "--platform manylinux_2_28_x86_64")
        .contains("--platform manylinux2014_x86_64", "--no-deps --require-hashes -r ")
        .doesNotContain("manylinux_2_29", "manylinux_2_34", "--no-index");
  }

  @Test
  void wheelsOfFolderNeedNoIndex() throws IOException {
    Path archive = zip();
    RuntimeSources.Interpreter interpreter =
        new RuntimeSources.Interpreter(archive, FileChecksum.of(archive));
    store()
        .build(
            new RuntimeSources(Optional.of(interpreter), Optional.of(Path.of("/opt/wheels"))),
            progress::add);

    assertThat(folder.resolve("store/calls"))
        .content()
        .contains("--no-index --find-links /opt/wheels");
  }

  @Test
  void wrongChecksumIsRefused() throws IOException {
    RuntimeSources.Interpreter changed =
        new RuntimeSources.Interpreter(zip(), "0123456789abcdef".repeat(4));

    assertThatThrownBy(
            () ->
                store()
                    .build(
                        new RuntimeSources(Optional.of(changed), Optional.empty()), progress::add))
        .isInstanceOf(CloudException.class)
        .hasMessageContaining("was not used: its SHA-256 is ")
        .hasMessageContaining("0123456789abcdef");
    assertNothingIsLeft();
  }

  @Test
  void unavailablePackagesAreExplained() throws IOException {
    Files.createDirectories(folder.resolve("store"));
    Files.createFile(folder.resolve("store/unavailable"));

    assertThatThrownBy(this::build)
        .isInstanceOf(CloudException.class)
        .hasMessageContaining("ERROR: no matching distribution")
        .hasMessageContaining("--wheels");
    assertNothingIsLeft();
  }

  @Test
  void packageForNewerSystemsIsRefused() throws IOException {
    Files.createDirectories(folder.resolve("store"));
    Files.write(
        folder.resolve("store/extra.so"), ElfBytes.of(ElfBytes.X86_64, 0, List.of("GLIBC_2.34")));

    assertThatThrownBy(this::build)
        .hasMessageContaining("site-packages/ray/extra.so needs glibc 2.34");
    assertNothingIsLeft();
  }

  private void assertNothingIsLeft() throws IOException {
    assertThat(store().list()).isEmpty();
    try (var files = Files.newDirectoryStream(folder.resolve("store"), "{build-,python}*")) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void archiveWithoutInterpreterIsExplained() throws IOException {
    Path empty = folder.resolve("empty.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(empty))) {
      zip.putNextEntry(new ZipEntry("readme"));
    }
    assertThatThrownBy(() -> build(empty)).hasMessageContaining("it contains no bin/python3");
    Path other = Files.writeString(folder.resolve("python.rpm"), "");
    assertThatThrownBy(() -> build(other)).hasMessageContaining(".tar.gz, .tgz, .zip and .jar");
  }

  @Test
  void removedRuntimeIsNotListed() throws IOException {
    NodeRuntime built = build();

    assertThat(store().remove("python3")).isEmpty();
    assertThat(store().remove(built.version())).contains(built);
    assertThat(store().list()).isEmpty();
    assertThat(built.archive()).doesNotExist();
  }

  @Test
  void shippedInterpreterHasPinnedChecksumAndRunsOnOldSystems() throws IOException {
    Path target = folder.resolve("python");
    InterpreterArchive.unpack(
        ShippedInterpreter.find(), Files.createDirectory(folder.resolve("scratch")), target);

    assertThat(PortabilityCheck.newestNeed(target)).isLessThan(PortabilityCheck.NEWEST);
    assertThat(target.resolve("lib/python3.11/LICENSE.txt"))
        .content()
        .contains("PYTHON SOFTWARE FOUNDATION LICENSE");
    assertThat(
            BuildStep.named("test")
                .run(
                    target.resolve("bin/python3").toString(),
                    "-I",
                    "-c",
                    "import sys; print(sys.prefix)"))
        .isEqualTo(target.toRealPath() + "\n");
  }
}
