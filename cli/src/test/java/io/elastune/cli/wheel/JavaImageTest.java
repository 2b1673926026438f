package io.elastune.cli.wheel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JavaImageTest {
  private static final Path HOST = Path.of(System.getProperty("java.home"));

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"25.0.3+9-LTS, 25.0.3.9", "17.0.15+6-Debian-1deb12u1, 17.0.15.6"})
  void versionIsThatOfTheJdk(String runtime, String version) throws IOException {
    JavaImage image = jdk("JAVA_RUNTIME_VERSION=\"" + runtime + "\"\nOS_NAME=\"Linux\"\n");
    assertThat(image.version()).isEqualTo(version);
  }

  @ParameterizedTest
  @CsvSource({"OS_NAME=\"Windows\", WSL2", "LIBC=\"musl\", musl"})
  void otherSystemsAreRefused(String property, String reason) {
    assertThatThrownBy(() -> jdk(property + "\n"))
        .isInstanceOf(UnsuitableInput.class)
        .hasMessageContaining(reason);
  }

  @Test
  void jdkForAnotherPlatformNeedsItsModules() throws IOException {
    JavaImage mac = jdk("OS_NAME=\"Darwin\"\nOS_ARCH=\"aarch64\"\n");
    assertThat(mac.runsHere()).isFalse();
    assertThatThrownBy(() -> mac.link(List.of("java.base"), HOST, folder.resolve("jre")))
        .isInstanceOf(UnsuitableInput.class)
        .hasMessageContaining("jmods");
  }

  @Test
  void jdkOfMacosMayBeABundle() throws IOException {
    Path home = Files.createDirectories(folder.resolve("Contents/Home"));
    Files.writeString(
        home.resolve("release"), "OS_NAME=\"Darwin\"\nJAVA_RUNTIME_VERSION=\"21+1\"\n");
    JavaImage image = new JavaImage(folder);
    assertThat(image.home()).isEqualTo(home);
    assertThat(image.version()).isEqualTo("21.1");
  }

  @Test
  void runtimeMustHaveTheFilesThatEveryCommandNeeds() throws IOException {
    JavaImage image = jdk("OS_NAME=\"Darwin\"\n");
    Set<String> files =
        new TreeSet<>(
            List.of(
                "bin/java",
                "lib/jspawnhelper",
                "lib/libjava.dylib",
                "lib/libnet.dylib",
                "lib/libnio.dylib",
                "lib/libzip.dylib",
                "lib/server/libjvm.dylib"));
    image.requireComplete(files);
    files.remove("bin/java");
    assertThatThrownBy(() -> image.requireComplete(files))
        .isInstanceOf(UnsuitableInput.class)
        .hasMessageContaining("5 of 6 native files");
  }

  @Test
  void folderMustBeAJdk() {
    assertThatThrownBy(() -> new JavaImage(folder)).hasMessageContaining("is no JDK");
  }

  @Test
  void jdkOfThisBuildRunsHere() {
    assertThat(new JavaImage(HOST).runsHere()).isTrue();
  }

  @Test
  void linksBecomeLines() throws IOException {
    Path legal = Files.createDirectories(folder.resolve("legal/java.sql"));
    Files.createSymbolicLink(legal.resolve("LICENSE"), Path.of("../java.base/LICENSE"));
    assertThat(JavaImage.files(folder).get("legal/java.sql/LICENSE"))
        .asString()
        .isEqualTo("Please see ../java.base/LICENSE\n");
  }

  private JavaImage jdk(String release) throws IOException {
    Files.writeString(folder.resolve("release"), release);
    return new JavaImage(folder);
  }
}
