package io.elastune.cli.wheel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.testing.ExampleFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteJDBCLoader;

/**
 * Builds wheels for other platforms, from the JDK of the test whose native files are replaced by
 * real ones of the other platform: the libraries of SQLite's driver.
 */
@Tag("nightly")
class WheelBuildTest {
  private static final Path HOST = Path.of(System.getProperty("java.home"));

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "macos-aarch64, Mac/aarch64/libsqlitejdbc.dylib, dylib, Darwin, aarch64, macosx_11_0_arm64",
    "linux-aarch64, Linux/aarch64/libsqlitejdbc.so, so, Linux, aarch64, manylinux_2_17_aarch64",
  })
  void wheelsForAnotherPlatformHaveItsFiles(
      String target, String library, String extension, String system, String machine, String tag)
      throws Exception {
    assumeTrue(Files.exists(HOST.resolve("jmods/java.base.jmod")), "skipped: a JDK without jmods");
    byte[] foreign = sqlite(library);
    Path jdk = jdk(target, foreign, extension, system, machine);

    List<Path> wheels = build(jdk);

    assertThat(wheels)
        .extracting(wheel -> wheel.getFileName().toString())
        .anyMatch(name -> name.matches("elastune_runtime-[0-9.]+-py3-none-" + tag + "\\.whl"))
        .contains("elastune-1.0-py3-none-" + tag + ".whl", "elastune-1.0-py3-none-any.whl");
    // 'pip install FOLDER/*.whl' accepts one wheel of each name.
    assertThat(wheels)
        .filteredOn(wheel -> folder.resolve("output").equals(wheel.getParent()))
        .extracting(wheel -> wheel.getFileName().toString().split("-", 2)[0])
        .doesNotHaveDuplicates()
        .hasSize(wheels.size() - 1);
    assertThat(folder.resolve("output/other-systems.html"))
        .content()
        .contains("href=\"other-systems/elastune-1.0-py3-none-any.whl\"");
    try (FileSystem runtime = open(named(wheels, "elastune_runtime-"))) {
      Path java = runtime.getPath("elastune_runtime/jre/bin/java");
      assertThat(java).hasBinaryContent(foreign);
      assertThat(Files.getPosixFilePermissions(java)).contains(PosixFilePermission.OTHERS_EXECUTE);
    }
    try (FileSystem core = open(named(wheels, "elastune-1.0-py3-none-" + tag))) {
      Path jar = core.getPath("elastune/release/lib/" + driver().getFileName());
      Path copy = Files.copy(jar, folder.resolve("driver.jar"));
      try (FileSystem driver = FileSystems.newFileSystem(copy);
          Stream<Path> files = Files.walk(driver.getPath("org/sqlite/native"))) {
        assertThat(files.filter(Files::isRegularFile))
            .extracting(Path::toString)
            .containsExactly("org/sqlite/native/" + library);
      }
    }
  }

  private List<Path> build(Path jdk) throws IOException {
    Path lib = Files.createDirectory(folder.resolve("lib"));
    Files.copy(driver(), lib.resolve(driver().getFileName()));
    for (String cloud : List.of("aws", "gcp")) {
      Files.createDirectory(lib.resolve(cloud));
    }
    Path parts = Files.createDirectory(folder.resolve("parts"));
    Files.writeString(parts.resolve("BUILD"), "0123456789ab\n");
    Files.writeString(parts.resolve("THIRD-PARTY.txt"), "none\n");
    String version = driver().getFileName().toString().replaceAll("sqlite-jdbc-(.*)\\.jar", "$1");
    Path sbom =
        Files.writeString(
            folder.resolve("sbom.json"),
            """
            {"metadata": {"component": {"bom-ref": "root", "name": "elastune-cli", "version": "1"}},
             "components": [{"bom-ref": "driver", "name": "sqlite-jdbc", "version": "%s"}],
             "dependencies": [{"ref": "root", "dependsOn": ["driver"]}]}
            """
                .formatted(version));
    return WheelBuild.build(
        "repository=" + ExampleFiles.REPOSITORY,
        "lib=" + lib,
        "parts=" + parts,
        "sbom=" + sbom,
        "version=1.0",
        "jdk=" + jdk,
        "modules=java.base",
        "output=" + folder.resolve("output"));
  }

  /** Returns the folder of a JDK with one module, whose native files are all the same. */
  private Path jdk(String target, byte[] file, String extension, String system, String machine)
      throws IOException, InterruptedException {
    Path parts = folder.resolve("java.base");
    String module = HOST.resolve("jmods/java.base.jmod").toString();
    run(List.of("jmod", "extract", "--dir", parts.toString(), module));
    try (Stream<Path> files = Files.walk(parts)) {
      for (Path some : files.filter(Files::isRegularFile).toList()) {
        if (NativeFile.of(some.toString(), Files.readAllBytes(some)).isPresent()) {
          Files.delete(some);
          String name = some.getFileName().toString().replaceFirst("\\.so$", "." + extension);
          Files.write(some.resolveSibling(name), file);
        }
      }
    }
    Path jdk = folder.resolve("jdk");
    Path jmods = Files.createDirectories(jdk.resolve("jmods"));
    List<String> command = new ArrayList<>(List.of("jmod", "create", "--target-platform", target));
    Map.of("classes", "class-path", "bin", "cmds", "conf", "config", "lib", "libs")
        .forEach(
            (from, option) ->
                command.addAll(List.of("--" + option, parts.resolve(from).toString())));
    command.add(jmods.resolve("java.base.jmod").toString());
    run(command);
    Path certificates = HOST.resolve("lib/security/cacerts");
    Files.createDirectories(jdk.resolve("lib/security"));
    Files.copy(certificates, jdk.resolve("lib/security/cacerts"));
    Files.writeString(
        jdk.resolve("release"),
        """
        IMPLEMENTOR="Test"
        JAVA_VERSION="%1$s"
        JAVA_RUNTIME_VERSION="%1$s+1"
        OS_NAME="%2$s"
        OS_ARCH="%3$s"
        MODULES="java.base"
        """
            .formatted(System.getProperty("java.version"), system, machine));
    return jdk;
  }

  /** Runs a tool of the JDK. */
  private static void run(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(arguments);
    command.set(0, HOST.resolve("bin").resolve(arguments.get(0)).toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
  }

  private static byte[] sqlite(String library) throws IOException {
    try (InputStream file =
        Optional.ofNullable(
                SQLiteJDBCLoader.class.getResourceAsStream("/org/sqlite/native/" + library))
            .orElseThrow()) {
      return file.readAllBytes();
    }
  }

  private static Path driver() {
    return Path.of(
        SQLiteJDBCLoader.class.getProtectionDomain().getCodeSource().getLocation().getPath());
  }

  private static Path named(List<Path> wheels, String prefix) {
    return wheels.stream()
        .filter(wheel -> wheel.getFileName().toString().startsWith(prefix))
        .findFirst()
        .orElseThrow();
  }

  private static FileSystem open(Path zip) throws IOException {
    return FileSystems.newFileSystem(zip, Map.of("enablePosixFileAttributes", "true"));
  }
}
