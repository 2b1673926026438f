#!/usr/bin/env python3
"""Writes the shipped price tables of AWS and Google Cloud from the data files of the tests.

Usage: python3 scripts/price-tables.py        (in the root of the repository)

Input:  provisioner/{aws,gcp}/src/test/resources/price-data; the comments of each file state its origin and licence.
Output: offers/types.csv and offers/prices/REGION.csv in the main resources of both providers.
docs/aws.md and docs/gcp.md explain the rules below. ShippedPricesTest compares the output with the input.
"""

import csv
import pathlib
from collections import defaultdict

ROOT = pathlib.Path(__file__).resolve().parent.parent
# AWS: a spot price of exactly 10 % of the on-demand price occurs in zones without a market. Google: spot prices of
# types without capacity rest at 9 % of the on-demand price; where there is a market, none is below 20 %.
AWS_FLOOR_SAVING = 90
GCP_FLOOR_SHARE = 0.2
AWS_GPUS = {
    "radeon-pro-v520": "V520", "t4": "T4", "t4g": "T4G", "a10g": "A10G", "l4": "L4", "l40s": "L40S", "v100": "V100",
    "rtx-pro-4500": "RTX-PRO-4500", "rtx-pro-server-6000": "RTX-PRO-6000", "a100": "A100", "h100": "H100",
    "h200": "H200", "b200": "B200", "b300": "B300",
}
A100_40GB_MIB = 40960


def module(cloud):
    return ROOT / "provisioner" / cloud / "src"


def read(cloud, name):
    with open(module(cloud) / "test/resources/price-data" / name, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def write(cloud, name, comments, header, rows):
    path = module(cloud) / "main/resources/io/elastune/provisioner" / cloud / "offers" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ["# " + comment for comment in comments] + [header] + [",".join(row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def aws_gpu(row):
    large = row["gpu_name"] == "a100" and int(row["gpu_memory_mib"]) > A100_40GB_MIB
    return "A100-80GB" if large else AWS_GPUS[row["gpu_name"]]


def aws_sold(instance_type):
    if instance_type.startswith("p3"):
        return "retired"
    return "bare-metal" if instance_type.endswith(".metal") else "on-demand spot"


def aws():
    types = [row for row in read("aws", "aws_gpu_prices_us-east-1_2026-07-20.csv") if int(row["gpu_count"]) > 0]
    names = {row["instance_type"] for row in types}
    write(
        "aws", "types.csv",
        ["GPU instance types, 2026-07-20. Source: aws/karpenter-provider-aws (Apache-2.0); p3 entered manually.",
         "Types with a fraction of a GPU (g6f, gr6f) are omitted.",
         "sold: the markets in which the type is offered. retired: previous generation (p3), no longer among the types",
         "that EC2 describes. bare-metal: another product of the price list, which live prices do not include."],
        "instance_type,gpu,gpus,vcpus,sold",
        [(row["instance_type"], aws_gpu(row), row["gpu_count"], row["vcpu"], aws_sold(row["instance_type"]))
         for row in types])
    savings = {(row["region"], row["instance_type"]): int(row["spot_savings_pct_vs_ondemand"])
               for row in read("aws", "aws_spot_advisor_2025-07.csv")}
    regions = defaultdict(list)
    for row in read("aws", "aws_gpu_on_demand_all_regions_2026-01-21.csv"):
        if row["instance_type"] in names:
            saving = savings.get((row["region"], row["instance_type"]), 0)
            spot = f"{float(row['usd_per_hour']) * (100 - saving) / 100:.4f}" if 0 < saving < AWS_FLOOR_SAVING else ""
            regions[row["region"]].append(
                (row["instance_type"], row["usd_per_hour"], row["seen"], spot, "2025-07" if spot else ""))
    for region, rows in regions.items():
        write(
            "aws", f"prices/{region}.csv",
            ["Linux, USD per hour. On demand: the AWS price list, from aws/karpenter-provider-aws (Apache-2.0) on",
             "2026-07-20 and from tsaol/aws-gpu (MIT) on 2026-01-21. Spot: the on-demand price less the mean saving of",
             "AWS's spot advisor, from alexei-led/spotinfo (Apache-2.0). Written by scripts/price-tables.py."],
            "instance_type,on_demand_usd,on_demand_date,spot_usd,spot_date", sorted(rows))


def gcp_spot(row):
    """Returns the spot price; empty at the floor."""
    at_floor = float(row["spot_usd"]) < GCP_FLOOR_SHARE * float(row["on_demand_usd"])
    return "" if at_floor else row["spot_usd"]


def gcp():
    path = module("gcp") / "main/resources/io/elastune/provisioner/gcp/offers/types.csv"
    with open(path, encoding="utf-8") as file:
        types = list(csv.reader(line for line in file if not line.startswith("#")))[1:]
    gpus = {row[0]: (row[1], int(row[2])) for row in types}
    priced = [row for row in read("gcp", "gcp_gpu_regions_2026-08-17.csv")
              if row["machine_type"] in gpus and row["on_demand_usd"] and row["spot_usd"]]
    least = defaultdict(lambda: float("inf"))
    for row in priced:
        model, count = gpus[row["machine_type"]]
        least[model] = min(least[model], float(row["on_demand_usd"]) / count)
    write(
        "gcp", "types.csv",
        ["Machine types with GPUs, 2026-07-30. Types with a fraction of a GPU (g4-standard-6, -12, -24) are omitted.",
         "Source: Cyclenerd/google-cloud-pricing-cost-calculator (Apache-2.0).",
         "least_usd_per_gpu: the lowest on-demand price per GPU of the model in prices/, to detect wrong prices."],
        "machine_type,gpu,gpus,vcpus,ram_gb,least_usd_per_gpu",
        [(*row[:5], f"{least[row[1]]:.4f}") for row in types])
    zones = defaultdict(list)
    for row in read("gcp", "gcp_gpu_zones_2026-07-30.csv"):
        if row["zone_source"] == "skypilot":
            zones[row["region"], row["machine_type"]].append(row["zone"].removeprefix(row["region"] + "-"))
    regions = defaultdict(list)
    for row in priced:
        regions[row["region"]].append(
            (row["machine_type"], row["on_demand_usd"], gcp_spot(row), "2026-07-30", "2026-08-17",
             " ".join(sorted(zones[row["region"], row["machine_type"]]))))
    for region, rows in regions.items():
        write(
            "gcp", f"prices/{region}.csv",
            ["Machine types that exist in the region (listed) and their prices (seen) in USD per hour, with GPUs and",
             "local disks, from Cyclenerd/google-cloud-pricing-cost-calculator (Apache-2.0). No spot price: at its floor.",
             "Zones: skypilot-org/skypilot-catalog (Apache-2.0), 2026-04-02 or before; none: unknown.",
             "sold.csv says which types are not sold on demand. Written by scripts/price-tables.py."],
            "machine_type,on_demand_usd,spot_usd,seen,listed,zones", sorted(rows))


if __name__ == "__main__":
    aws()
    gcp()
