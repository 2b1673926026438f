"""The Java runtime of Elastune, made with jlink: see CONTENTS.txt of the package."""

import os

JAVA_HOME = os.path.join(os.path.dirname(os.path.abspath(__file__)), "jre")
