"""A second client of EC2, for the tests: boto3. Prints JSON.

second_client.py prepare       creates what clouds.yaml names; prints it
second_client.py account TYPE  identity, zones, prices and quotas of a type
second_client.py instances     all instances that have the tag elastune-run
second_client.py launch TYPE IMAGE KEY=VALUE...  launches an instance with tags
"""

import datetime
import json
import sys

import boto3

PROFILE = "elastune-node"
G_QUOTA = "L-DB2E81BA"
PLAIN = {
    "regionCode": "us-east-1",
    "instanceFamily": "GPU instance",
    "operatingSystem": "Linux",
    "preInstalledSw": "NA",
    "tenancy": "Shared",
    "capacitystatus": "Used",
    "marketoption": "OnDemand",
}


def client(service):
    return boto3.client(service, region_name="us-east-1")


def by_key(tags):
    return {tag["Key"]: tag["Value"] for tag in tags or []}


def prepare():
    """Creates the instance profile. The other resources belong to the default VPC of moto."""
    iam = client("iam")
    if PROFILE not in [p["InstanceProfileName"] for p in iam.list_instance_profiles()["InstanceProfiles"]]:
        iam.create_instance_profile(InstanceProfileName=PROFILE)
    ec2 = client("ec2")
    subnets = {s["AvailabilityZone"]: s["SubnetId"] for s in ec2.describe_subnets()["Subnets"]}
    images = [i for i in ec2.describe_images(Owners=["amazon"])["Images"] if i.get("Architecture") == "x86_64"]
    return {
        "image": sorted(i["ImageId"] for i in images if i.get("Platform") != "windows")[0],
        "subnets": {zone: subnets[zone] for zone in sorted(subnets)[:2]},
        "group": ec2.describe_security_groups()["SecurityGroups"][0]["GroupId"],
    }


def account(kind):
    ec2 = client("ec2")
    named = [{"Name": "instance-type", "Values": [kind]}]
    offerings = ec2.describe_instance_type_offerings(LocationType="availability-zone", Filters=named)
    pages = client("pricing").get_paginator("get_products").paginate(
        ServiceCode="AmazonEC2",
        Filters=[{"Type": "TERM_MATCH", "Field": field, "Value": value} for field, value in PLAIN.items()],
    )
    prices = set()
    for page in pages:
        for text in page["PriceList"]:
            product = json.loads(text)
            if product["product"]["attributes"]["instanceType"] == kind:
                for term in product["terms"]["OnDemand"].values():
                    for dimension in term["priceDimensions"].values():
                        prices.add(float(dimension["pricePerUnit"]["USD"]))
    spot = ec2.describe_spot_price_history(
        InstanceTypes=[kind],
        ProductDescriptions=["Linux/UNIX"],
        StartTime=datetime.datetime.now(datetime.timezone.utc),
    )
    return {
        "arn": client("sts").get_caller_identity()["Arn"],
        "zones": sorted(o["Location"] for o in offerings["InstanceTypeOfferings"]),
        "on_demand": sorted(prices),
        "spot": {p["AvailabilityZone"]: float(p["SpotPrice"]) for p in spot["SpotPriceHistory"]},
        "quota": client("service-quotas").get_service_quota(ServiceCode="ec2", QuotaCode=G_QUOTA)["Quota"]["Value"],
    }


def attribute(ec2, instance, name):
    answer = ec2.describe_instance_attribute(InstanceId=instance, Attribute=name)
    return answer[name[0].upper() + name[1:]]["Value"]


def disk(volume):
    return {
        "gb": volume["Size"],
        "type": volume["VolumeType"],
        "encrypted": volume["Encrypted"],
        "tags": by_key(volume.get("Tags")),
    }


def spot_request(request):
    return {
        "type": request["Type"],
        "behavior": request["InstanceInterruptionBehavior"],
        "max_price": request.get("SpotPrice"),
        "tags": by_key(request.get("Tags")),
    }


def interface(some):
    return {
        "public": some.get("Association", {}).get("PublicIp"),
        "groups": [group["GroupId"] for group in some.get("Groups", [])],
        "subnet": some["SubnetId"],
        "tags": by_key(some.get("TagSet")),
    }


def described(ec2, instance):
    own = [{"Name": "attachment.instance-id", "Values": [instance["InstanceId"]]}]
    spots = ec2.describe_spot_instance_requests(
        Filters=[{"Name": "instance-id", "Values": [instance["InstanceId"]]}])
    options = instance.get("MetadataOptions", {})
    return {
        "id": instance["InstanceId"],
        "type": instance["InstanceType"],
        "state": instance["State"]["Name"],
        "zone": instance["Placement"]["AvailabilityZone"],
        "market": instance.get("InstanceLifecycle", "on-demand"),
        "image": instance["ImageId"],
        "profile": instance.get("IamInstanceProfile", {}).get("Arn", "").rpartition("/")[2],
        "tags": by_key(instance.get("Tags")),
        "imds": {
            name: options.get(name)
            for name in ("HttpTokens", "HttpPutResponseHopLimit", "HttpEndpoint", "InstanceMetadataTags")
        },
        "shutdown": attribute(ec2, instance["InstanceId"], "instanceInitiatedShutdownBehavior"),
        "protected": attribute(ec2, instance["InstanceId"], "disableApiTermination"),
        "kept_disks": [
            mapping["DeviceName"]
            for mapping in instance.get("BlockDeviceMappings", [])
            if not mapping["Ebs"]["DeleteOnTermination"]
        ],
        "disks": [disk(volume) for volume in ec2.describe_volumes(Filters=own)["Volumes"]],
        "interfaces": [interface(i) for i in ec2.describe_network_interfaces(Filters=own)["NetworkInterfaces"]],
        "spot_requests": [spot_request(request) for request in spots["SpotInstanceRequests"]],
    }


def instances():
    ec2 = client("ec2")
    pages = ec2.get_paginator("describe_instances").paginate(
        Filters=[{"Name": "tag-key", "Values": ["elastune-run"]}])
    return [
        described(ec2, instance)
        for page in pages
        for reservation in page["Reservations"]
        for instance in reservation["Instances"]
    ]


def launch(kind, image, *pairs):
    tags = [{"Key": key, "Value": value} for key, value in (pair.split("=", 1) for pair in pairs)]
    answer = client("ec2").run_instances(
        MinCount=1, MaxCount=1, ImageId=image, InstanceType=kind,
        MetadataOptions={"HttpTokens": "required"},
        TagSpecifications=[{"ResourceType": "instance", "Tags": tags}, {"ResourceType": "volume", "Tags": tags}],
    )
    return {"id": answer["Instances"][0]["InstanceId"]}


if __name__ == "__main__":
    actions = {"prepare": prepare, "account": account, "instances": instances, "launch": launch}
    print(json.dumps(actions[sys.argv[1]](*sys.argv[2:])))
