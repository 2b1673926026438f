"""Writes terraform/test/schemas.json: the arguments of the resources that the modules use.

The source are the npm packages @cdktf/provider-aws and -google, which HashiCorp generated from the
schemas of its Terraform providers. npm must be on the PATH.

Usage: python3 scripts/terraform-schemas.py
"""

import base64
import json
import pathlib
import re
import subprocess
import tarfile
import tempfile

TERRAFORM = pathlib.Path(__file__).parent.parent / "terraform"

# The packages with their versions, the prefixes of their types, and the arguments of the providers.
PACKAGES = {
    "aws": ("21.22.1", "aws_", {"profile": "string", "region": "string"}),
    "google": (
        "16.12.1",
        "google_",
        {
            "billing_project": "string",
            "project": "string",
            "region": "string",
            "user_project_override": "bool",
        },
    ),
}
SIMPLE = {
    "string": "string",
    "number": "number",
    "boolean": "bool",
    "stringList": "list(string)",
    "stringMap": "map(string)",
    "numberList": "list(number)",
}
GETTERS = {
    "String": "string",
    "Number": "number",
    "Boolean": "bool",
    "List": "list(string)",
    "StringMap": "map(string)",
    "NumberList": "list(number)",
    "NumberMap": "map(number)",
    "BooleanMap": "map(bool)",
    "AnyMap": "map(string)",
}
ATTRIBUTE = re.compile(
    r"// (\w+) - computed: (true|false), optional: (true|false), required: (true|false)\n"
    r"(.*?)(?=\n  // |\Z)",
    re.S,
)
STORED = re.compile(
    r"\n\s+(\w+): \{\s+value: .*?,\s+isBlock: (true|false),"
    r"\s+type: \"\w+\",\s+storageClassType: \"(\w+)\"",
    re.S,
)


def source(file):
    """Returns the TypeScript source in the source map of a file."""
    encoded = re.search(r"sourceMappingURL=data:application/json;base64,(\S+)", file.read_text())
    return json.loads(base64.b64decode(encoded.group(1)))["sourcesContent"][0]


class Source:
    """The source of one resource type."""

    def __init__(self, text):
        self.text = text
        pattern = r"^export class (\w+) extends cdktf\.(\w+) \{(.*?)^\}"
        classes = re.findall(pattern, text, re.S | re.M)
        self.classes = {name: (kind, body) for name, kind, body in classes}
        self.main = next(
            name
            for name, (kind, _) in self.classes.items()
            if kind in ("TerraformResource", "TerraformDataSource")
        )

    def stored(self, name):
        """Returns whether each argument of a class is a block, and its type."""
        if name == self.main:
            body = re.search(r"synthesizeHclAttributes\(\).*", self.classes[name][1], re.S)
        else:
            function = name[0].lower() + name[1:].removesuffix("OutputReference")
            pattern = r"export function " + function + r"ToHclTerraform\(.*?^\}"
            body = re.search(pattern, self.text, re.S | re.M)
        found = STORED.findall(body.group(0)) if body else []
        return {argument: (block == "true", kind) for argument, block, kind in found}

    def arguments(self, name):
        stored, result = self.stored(name), {}
        for argument, *flags, rest in ATTRIBUTE.findall(self.classes[name][1]):
            names = ("computed", "optional", "required")
            entry = {flag: True for flag, value in zip(names, flags) if value == "true"}
            nested = re.search(r'= new (\w+)\(this, "\w+"(?:, (true|false))?\)', rest)
            if nested:
                entry.update(self.nested(*nested.groups()))
                entry["block"] = stored.get(argument, (False,))[0]
            else:
                getter = re.search(r"this\.get(\w+?)Attribute\(", rest)
                default = GETTERS.get(getter.group(1) if getter else "", "string")
                entry["type"] = SIMPLE.get(stored.get(argument, (False, ""))[1], default)
                if "Fn.tolist(" in rest:
                    entry.update({"set": True, "type": "list(string)"})
            result[argument] = entry
        return result

    def nested(self, name, is_set):
        kind, body = self.classes.get(name, ("", ""))
        many = kind in ("ComplexList", "ComplexMap")
        inner = re.search(r"new (\w+OutputReference)\(", body).group(1) if many else name
        nested = self.arguments(inner) if inner in self.classes else {}
        entry = {"many": many, "nested": nested}
        if is_set == "true":
            entry["set"] = True
        return entry


def used(block):
    """Returns the types of all resources or data sources of the modules."""
    texts = [file.read_text() for file in TERRAFORM.glob("*/*.tf")]
    return sorted({kind for text in texts for kind in re.findall(rf'^{block} "(\w+)"', text, re.M)})


def schemas(package, version, prefix, provider_arguments):
    with tempfile.TemporaryDirectory() as folder:
        name = f"@cdktf/provider-{package}@{version}"
        subprocess.run(["npm", "pack", name, "--silent"], cwd=folder, check=True, stdout=-3)
        with tarfile.open(next(pathlib.Path(folder).glob("*.tgz"))) as archive:
            archive.extractall(folder, filter="data")
        root = pathlib.Path(folder, "package")
        provider = json.loads((root / "package.json").read_text())["cdktf"]["provider"]
        result = {
            "provider": provider["name"].split("/", 1)[1],
            "version": provider["version"],
            "provider_config": {
                name: {"optional": True, "type": kind} for name, kind in provider_arguments.items()
            },
        }
        for group, block, start in (
            ("resources", "resource", ""),
            ("data", "data", f"data-{package}-"),
        ):
            result[group] = {}
            for kind in used(block):
                if kind.startswith(prefix):
                    folder_name = start + kind.removeprefix(prefix).replace("_", "-")
                    text = Source(source(root / "lib" / folder_name / "index.js"))
                    result[group][kind] = text.arguments(text.main)
        return result


def main():
    result = {package: schemas(package, *about) for package, about in PACKAGES.items()}
    text = json.dumps(result, indent=None, separators=(",", ":"), sort_keys=True)
    (TERRAFORM / "test" / "schemas.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
