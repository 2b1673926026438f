package io.elastune.core.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs({OS.LINUX, OS.MAC})
class PrivateFolderTest {
  private static final int NEIGHBOR = 4322;

  @TempDir private Path temporary;
  private Path folder;

  @BeforeEach
  void withoutLinks() throws IOException {
    folder = temporary.toRealPath();
  }

  @Test
  void missingFoldersAreCreatedForTheirOwner() throws IOException {
    assertThat(PrivateFolder.open(folder.resolve("a/b"))).isEqualTo(folder.resolve("a/b"));

    assertThat(mode(folder.resolve("a"))).isEqualTo("rwx------");
    assertThat(mode(folder.resolve("a/b"))).isEqualTo("rwx------");
  }

  @Test
  void folderThatOthersCanOnlyReadIsRestricted() throws IOException {
    Path own = create("own", "rwxr-xr-x");

    assertThat(mode(PrivateFolder.open(own))).isEqualTo("rwx------");
  }

  @Test
  void folderThatOthersCanWriteIsRefused() throws IOException {
    Path own = create("own", "rwxrwxrwx");

    assertRefused(own, "other users can write to it");
    assertThat(mode(own)).isEqualTo("rwxrwxrwx");
  }

  @Test
  void linkIsRefused() throws IOException {
    Path own = create("own", "rwx------");
    Path link = Files.createSymbolicLink(folder.resolve("link"), own);

    assertRefused(link, "it is a link");
  }

  @Test
  void ownLinkToAParentIsFollowed() throws IOException {
    Path own = create("own", "rwx------");
    Files.createSymbolicLink(folder.resolve("absolute"), own);
    Files.createSymbolicLink(folder.resolve("relative"), Path.of("own/../own"));

    assertThat(PrivateFolder.open(folder.resolve("absolute/a"))).isEqualTo(own.resolve("a"));
    assertThat(PrivateFolder.open(folder.resolve("relative/a"))).isEqualTo(own.resolve("a"));
  }

  @Test
  void linksWithoutEndAreRefused() throws IOException {
    Files.createSymbolicLink(folder.resolve("loop"), Path.of("loop"));

    assertRefused(folder.resolve("loop/a"), "is a link");
  }

  @Test
  void folderThatOthersCanReplaceIsRefused() throws IOException {
    Path parent = create("parent", "rwxrwxrwx");

    assertRefused(parent.resolve("own"), parent + " is not private: other users can replace");
    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void folderForFilesOfAllUsersMayHoldOne() throws IOException {
    Path shared = create("shared", "rwxrwxrwx");
    Files.setAttribute(shared, "unix:mode", 01777);

    assertThat(mode(PrivateFolder.open(shared.resolve("own")))).isEqualTo("rwx------");
    assertRefused(shared, "other users can write to it");
  }

  @Test
  void fileIsRefused() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));

    assertRefused(file.resolve("a"), "it is not a folder");
  }

  @Test
  void folderOfAnotherUserIsRefused() throws IOException {
    Path theirs = create("theirs", "rwx------");
    giveToNeighbor(theirs);

    assertRefused(theirs, "it belongs to the user " + NEIGHBOR);
    assertRefused(theirs.resolve("a"), theirs + " is not private: it belongs to the user");
    assertThat(theirs).isEmptyDirectory();
  }

  @Test
  void linkOfAnotherUserIsRefused() throws IOException {
    Path own = create("own", "rwx------");
    Path link = Files.createSymbolicLink(folder.resolve("link"), own);
    giveToNeighbor(link);

    assertRefused(link.resolve("a"), "is a link of the user " + NEIGHBOR);
    assertThat(own).isEmptyDirectory();
  }

  @Test
  void temporaryFoldersAreNew() throws IOException {
    Path first = PrivateFolder.createTemporary(folder, "t-");
    Path second = PrivateFolder.createTemporary(folder, "t-");

    assertThat(first).isNotEqualTo(second).isEmptyDirectory();
    assertThat(mode(first)).isEqualTo("rwx------");
  }

  private Path create(String name, String permissions) throws IOException {
    Path created = Files.createDirectory(folder.resolve(name));
    Files.setPosixFilePermissions(created, PosixFilePermissions.fromString(permissions));
    return created;
  }

  /** Only the administrator may do this. */
  private static void giveToNeighbor(Path path) throws IOException {
    assumeTrue((Integer) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS) == 0);
    Files.setAttribute(path, "unix:uid", NEIGHBOR, LinkOption.NOFOLLOW_LINKS);
  }

  private static void assertRefused(Path path, String reason) {
    assertThatThrownBy(() -> PrivateFolder.open(path))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining(reason);
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
