"""Unit tests of elastune._launcher. Run with: python3 -m unittest"""

import os
import pathlib
import runpy
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

from elastune import _launcher


class LauncherTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.release = self.folder / "site packages" / "release"
        (self.release / "lib").mkdir(parents=True)
        self.jar = self.release / "lib" / "a.jar"
        self.jar.write_text("classes")
        self.runtime = self.folder / "jre"
        (self.runtime / "lib").mkdir(parents=True)
        self.cache = self.folder / "a cache"
        patches = [
            mock.patch.object(_launcher, "_RELEASE", str(self.release)),
            mock.patch.dict(os.environ, {"XDG_CACHE_HOME": str(self.cache)}),
            mock.patch.object(_launcher.sys, "platform", "linux"),
            mock.patch.object(_launcher.os, "confstr", lambda name: "glibc 2.36"),
        ]
        for patch in patches:
            patch.start()
            self.addCleanup(patch.stop)

    def test_command_gets_its_arguments_and_the_runtime(self):
        command, variables = _launcher.start(["plan", "a job.yaml"])
        self.assertEqual(["/bin/sh", str(self.release / "elastune"), "plan", "a job.yaml"], command)
        self.assertTrue(variables["ELASTUNE_WHEEL_JAVA"].endswith(os.path.join("elastune_runtime", "jre")))
        self.assertEqual(self.cache / "elastune", pathlib.Path(variables["ELASTUNE_WHEEL_ARCHIVES"]).parent)

    def test_archives_are_for_one_state_of_the_jars(self):
        first = _launcher._archives(str(self.runtime))
        self.assertEqual(first, _launcher._archives(str(self.runtime)))
        self.jar.write_text("other classes")
        second = _launcher._archives(str(self.runtime))
        self.assertNotEqual(first, second)
        self.assertEqual([os.path.basename(second)], os.listdir(self.cache / "elastune"))

    def test_archives_are_for_one_runtime(self):
        first = _launcher._archives(str(self.runtime))
        (self.runtime / "lib" / "modules").write_text("other classes")
        self.assertNotEqual(first, _launcher._archives(str(self.runtime)))

    def test_archives_of_removed_installations_are_removed_and_others_kept(self):
        for name, origin in (("old", self.folder / "none"), ("other", self.folder)):
            (self.cache / "elastune" / name).mkdir(parents=True)
            (self.cache / "elastune" / name / "origin").write_text(str(origin))
        mine = _launcher._archives(str(self.runtime))
        self.assertEqual({"other", os.path.basename(mine)}, set(os.listdir(self.cache / "elastune")))

    def test_home_that_cannot_be_written_is_no_error(self):
        self.cache.write_text("a file")
        self.assertTrue(_launcher.start([])[1]["ELASTUNE_WHEEL_ARCHIVES"])

    def test_launcher_of_a_timer_is_kept(self):
        with mock.patch.dict(os.environ, {"ELASTUNE_LAUNCHER": "/bin/mine"}):
            self.assertNotIn("ELASTUNE_LAUNCHER", _launcher.start([])[1])

    def test_unsupported_systems_get_one_line(self):
        with mock.patch.object(_launcher.sys, "platform", "win32"):
            self.assert_refused("WSL2")
        for answer in (mock.Mock(return_value=None), mock.Mock(side_effect=ValueError)):
            with mock.patch.object(_launcher.os, "confstr", answer):
                self.assert_refused("glibc")

    def test_wheel_for_other_systems_names_the_system(self):
        with mock.patch.object(_launcher, "_RELEASE", str(self.folder / "none")):
            self.assert_refused("no wheel for ")
            package = runpy.run_path(str(pathlib.Path(__file__).parent / "other_systems" / "elastune" / "__init__.py"))
            with self.assertRaises(ImportError) as refusal:
                package["__getattr__"]("plan")
        self.assertIn("glibc 2.36", str(refusal.exception))
        with self.assertRaises(AttributeError):
            package["__getattr__"]("__wrapped__")

    def test_wheel_for_other_systems_needs_no_module_of_unix(self):
        here = pathlib.Path(__file__).parent
        package = self.folder / "elastune"
        shutil.copytree(here / "other_systems" / "elastune", package)
        for name in ("_launcher.py", "__main__.py"):
            shutil.copy(here / "elastune" / name, package)
        windows = "sys.platform = 'win32'; sys.modules['grp'] = sys.modules['pwd'] = None"
        program = f"import runpy, sys; {windows}; runpy.run_module('elastune', run_name='__main__')"
        done = subprocess.run([sys.executable, "-c", program], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(1, done.returncode, done.stderr)
        self.assertTrue(done.stderr.startswith("elastune: Windows"), done.stderr)
        self.assertEqual(1, done.stderr.count("\n"), done.stderr)

    def assert_refused(self, reason):
        with self.assertRaises(SystemExit) as refusal:
            _launcher.start([])
        self.assertIn(reason, str(refusal.exception))
        self.assertNotIn("\n", str(refusal.exception))


if __name__ == "__main__":
    unittest.main()
