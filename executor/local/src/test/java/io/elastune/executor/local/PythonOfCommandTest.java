package io.elastune.executor.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PythonOfCommandTest {
  @TempDir Path folder;

  private Path python(String name) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    return file;
  }

  @Test
  void findsTheFirstInterpreterOnThePath() throws IOException {
    Path second = python("b/python3");
    String path = folder.resolve("a") + ":" + folder.resolve("b") + ":/usr/bin";
    assertThat(PythonOfCommand.find("exec python3 train.py --lr 1", path, folder)).contains(second);
    Path first = python("a/python3");
    assertThat(PythonOfCommand.find("cd x && python3 -m train", path, folder)).contains(first);
    assertThat(PythonOfCommand.find("python4 train.py", path, folder)).isEmpty();
  }

  @Test
  void findsARelativeInterpreter() throws IOException {
    Path python = python(".venv/bin/python");
    assertThat(PythonOfCommand.find("exec .venv/bin/python train.py", "/usr/bin", folder))
        .contains(python);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "source .venv/bin/activate; python3 train.py",
        "conda run -n x python3 train.py",
        "PATH=/x:$PATH python3 train.py",
        "sh train.sh",
        "exec ./my-python3-tool",
      })
  void otherCommandsHaveNone(String command) throws IOException {
    Path file = python("bin/python3");
    assertThat(PythonOfCommand.find(command, file.getParent().toString(), folder)).isEmpty();
  }
}
