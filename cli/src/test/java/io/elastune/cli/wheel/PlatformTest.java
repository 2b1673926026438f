package io.elastune.cli.wheel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.cli.wheel.NativeFile.Release;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteJDBCLoader;

/** Reads the libraries in SQLite's driver, which are for many systems. */
class PlatformTest {
  private static final int[] SIGNATURE = {0x1d, 0};

  /** As objdump -p and otool -l show them. */
  @ParameterizedTest
  @CsvSource({
    "Linux/x86_64/libsqlitejdbc.so, manylinux_2_17_x86_64",
    "Linux/aarch64/libsqlitejdbc.so, manylinux_2_17_aarch64",
    "Mac/x86_64/libsqlitejdbc.dylib, macosx_10_9_x86_64",
    "Mac/aarch64/libsqlitejdbc.dylib, macosx_11_0_arm64",
  })
  void tagNamesSystemAndProcessor(String library, String tag) throws IOException {
    Platform platform = Platform.of(Map.of(library, read(library)));
    assertThat(platform.tag()).isEqualTo(tag);
    assertThat(library).startsWith(platform.sqliteFolder());
  }

  @Test
  void tagNamesTheNewestReleaseThatAFileNeeds() throws IOException {
    NativeFile old = read("Linux/x86_64/libsqlitejdbc.so");
    assertThat(old.needed()).contains("libc.so.6");
    assertThat(old.release()).isGreaterThan(Release.NONE);
    NativeFile recent =
        new NativeFile(NativeFile.Family.LINUX, "x86_64", new Release(2, 34), Set.of("libc.so.6"));
    assertThat(Platform.of(Map.of("a", recent, "b", old)).tag()).isEqualTo("manylinux_2_34_x86_64");
  }

  @ParameterizedTest
  @CsvSource({
    "Linux-Musl/x86_64/libsqlitejdbc.so, musl",
    "Linux-Musl/aarch64/libsqlitejdbc.so, musl",
    "Windows/x86_64/sqlitejdbc.dll, WSL2",
  })
  void otherSystemsAreRefusedInOneLine(String library, String reason) throws IOException {
    NativeFile file = read(library);
    assertThatThrownBy(() -> Platform.of(Map.of(library, file)))
        .isInstanceOf(UnsuitableInput.class)
        .hasMessageContaining(reason)
        .hasMessageNotContaining("\n");
  }

  @Test
  void oldestMacosIsThatOfTheLoadCommand() {
    assertThat(Platform.of(Map.of("a", mach(SIGNATURE, macos(13)))).tag())
        .isEqualTo("macosx_13_0_arm64");
  }

  @Test
  void fileForArmWithoutSignatureIsRefused() {
    assertThatThrownBy(() -> mach(macos(13)))
        .isInstanceOf(UnsuitableInput.class)
        .hasMessageContaining("java has no signature");
  }

  @Test
  void fileForSeveralProcessorsIsRefused() {
    byte[] universal = ByteBuffer.allocate(100).putInt(0xcafebabe).putInt(2).array();
    assertThatThrownBy(() -> NativeFile.of("java", universal))
        .isInstanceOf(UnsuitableInput.class)
        .hasMessageContaining("java is for several processors");
    byte[] classFile = ByteBuffer.allocate(100).putInt(0xcafebabe).putInt(61).array();
    assertThat(NativeFile.of("A.class", classFile)).isEmpty();
  }

  @Test
  void filesOfSeveralProcessorsAreRefused() throws IOException {
    NativeFile intel = read("Linux/x86_64/libsqlitejdbc.so");
    NativeFile arm = read("Linux/aarch64/libsqlitejdbc.so");
    assertThatThrownBy(() -> Platform.of(Map.of("intel.so", intel, "arm.so", arm)))
        .hasMessageContaining("intel.so")
        .hasMessageContaining("arm.so");
  }

  @Test
  void otherFilesAreNotNative() {
    assertThat(NativeFile.of("zeros", new byte[100])).isEmpty();
    assertThat(NativeFile.of("empty", new byte[0])).isEmpty();
  }

  /** Returns a program for arm64 with load commands of 16 bytes. */
  private static NativeFile mach(int[]... commands) {
    ByteBuffer file = ByteBuffer.allocate(200).order(ByteOrder.LITTLE_ENDIAN);
    file.putInt(0xfeedfacf).putInt(0x0100000c).putInt(16, commands.length).position(32);
    for (int[] command : commands) {
      file.putInt(command[0]).putInt(16).putInt(0).putInt(command[1]);
    }
    return NativeFile.of("java", file.array()).orElseThrow();
  }

  private static int[] macos(int major) {
    return new int[] {0x32, major << 16};
  }

  private static NativeFile read(String library) throws IOException {
    try (InputStream file =
        Optional.ofNullable(
                SQLiteJDBCLoader.class.getResourceAsStream("/org/sqlite/native/" + library))
            .orElseThrow()) {
      return NativeFile.of(library, file.readAllBytes()).orElseThrow();
    }
  }
}
